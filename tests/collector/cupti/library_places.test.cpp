#include "collector/cupti/library_places.h"

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::cupti {
namespace {

namespace fs = std::filesystem;
using test::ScopedVariable;
using test::TemporaryFolder;

// Makes empty files with these names in `root`.
void make_files(const fs::path& root, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    fs::create_directories((root / file).parent_path());
    test::write_file(root / file, "");
  }
}

// Returns the candidates below `root`, in order, and how each was found.
std::vector<std::string> inside(const std::vector<Candidate>& candidates, const fs::path& root) {
  std::vector<std::string> found;
  for (const Candidate& candidate : candidates) {
    if (!candidate.path.starts_with(root.string() + "/")) continue;
    found.push_back(candidate.path.substr(root.string().size() + 1) + ": " +
                    std::string(words(candidate.place)));
  }
  return found;
}

// Clears the variables that name folders, for tests that set some of them.
struct NoEnvironment {
  ScopedVariable variables[4] = {{"CUDA_HOME", nullptr},
                                 {"CUDA_PATH", nullptr},
                                 {"VIRTUAL_ENV", nullptr},
                                 {"CONDA_PREFIX", nullptr}};
};

const std::vector<std::string> none_loaded;

TEST_CASE("a library that was asked for is the only candidate", "[cupti]") {
  CHECK(library_candidates(std::optional<std::string>("/some/libcupti.so.12"), "/own") ==
        std::vector<Candidate>{{"/some/libcupti.so.12", Place::asked_for}});
}

TEST_CASE("the program's libraries, wheels, conda, the loader and toolkits are asked in this order",
          "[cupti]") {
  const NoEnvironment clean;
  const TemporaryFolder folder;
  make_files(folder / "program/site-packages/nvidia",
             {"cuda_runtime/lib/libcudart.so.12", "cuda_cupti/lib/libcupti.so.12"});
  make_files(folder / "own/lib", {"lapscope/libcupti.so.12", "lapscope/libcupti.so.13"});
  make_files(folder / "own/lib/python3.11/site-packages/nvidia",
             {"cuda_cupti/lib/libcupti.so.12", "cu13/lib/libcupti.so.13"});
  make_files(folder / "active", {"lib/python3.9/site-packages/nvidia/cu13/lib/libcupti.so.13"});
  make_files(folder / "conda", {"lib/libcupti.so.12"});
  make_files(folder / "home", {"lib64/libcupti.so.12", "extras/CUPTI/lib64/libcupti.so.12"});
  make_files(folder / "path", {"lib/libcupti.so.13"});
  const ScopedVariable active("VIRTUAL_ENV", (folder / "active").c_str());
  const ScopedVariable conda("CONDA_PREFIX", (folder / "conda").c_str());
  const ScopedVariable home("CUDA_HOME", (folder / "home").c_str());
  const ScopedVariable path("CUDA_PATH", (folder / "path").c_str());
  const auto candidates = library_candidates(
      std::vector<std::string>{
          (folder / "program/site-packages/nvidia/cuda_runtime/lib/libcudart.so.12").string()},
      folder / "own/lib/lapscope");
  CHECK(inside(candidates, folder.path()) ==
        std::vector<std::string>{
            "program/site-packages/nvidia/cuda_cupti/lib/libcupti.so.12: with the program's own "
            "CUDA libraries",
            "own/lib/lapscope/libcupti.so.13: beside the collector library",
            "own/lib/lapscope/libcupti.so.12: beside the collector library",
            "own/lib/python3.11/site-packages/nvidia/cu13/lib/libcupti.so.13: in a wheel of this "
            "Python environment",
            "own/lib/python3.11/site-packages/nvidia/cuda_cupti/lib/libcupti.so.12: in a wheel of "
            "this Python environment",
            "active/lib/python3.9/site-packages/nvidia/cu13/lib/libcupti.so.13: in a wheel of this "
            "Python environment",
            "conda/lib/libcupti.so.12: in the conda environment",
            "home/extras/CUPTI/lib64/libcupti.so.12: in a CUDA toolkit",
            "home/lib64/libcupti.so.12: in a CUDA toolkit",
            "path/lib/libcupti.so.13: in a CUDA toolkit"});
  const auto loader = std::ranges::find(candidates, Candidate{"libcupti.so.13", Place::loader});
  REQUIRE(loader != candidates.end());
  CHECK(loader[-1].place == Place::conda);
  CHECK(loader[1] == Candidate{"libcupti.so.12", Place::loader});
  CHECK(loader[2].place == Place::toolkit);
}

TEST_CASE(
    "beside the program's CUDA runtime are those of a toolkit, of conda and of CUDA 13's wheels",
    "[cupti]") {
  const NoEnvironment clean;
  const TemporaryFolder folder;
  make_files(folder / "toolkit", {"lib64/libcudart.so.12", "extras/CUPTI/lib64/libcupti.so.12"});
  make_files(folder / "conda/lib", {"libcudart.so.12", "libcupti.so.12"});
  make_files(folder / "site-packages/nvidia/cu13/lib", {"libcudart.so.13", "libcupti.so.13"});
  const auto first = [&](const std::string& runtime) {
    return library_candidates(std::vector<std::string>{(folder / runtime).string()}, {}).front();
  };
  CHECK(first("toolkit/lib64/libcudart.so.12") ==
        Candidate{(folder / "toolkit/extras/CUPTI/lib64/libcupti.so.12").string(),
                  Place::of_program});
  CHECK(first("conda/lib/libcudart.so.12") ==
        Candidate{(folder / "conda/lib/libcupti.so.12").string(), Place::of_program});
  CHECK(first("site-packages/nvidia/cu13/lib/libcudart.so.13") ==
        Candidate{(folder / "site-packages/nvidia/cu13/lib/libcupti.so.13").string(),
                  Place::of_program});
}

TEST_CASE("wheels lie beside any library of the program's site-packages", "[cupti]") {
  const NoEnvironment clean;
  const TemporaryFolder folder;
  make_files(folder / "site-packages", {"nvidia/cuda_cupti/lib/libcupti.so.12"});
  const auto candidates = library_candidates(
      std::vector<std::string>{(folder / "site-packages/numba/core.so").string()}, {});
  CHECK(candidates.front() ==
        Candidate{(folder / "site-packages/nvidia/cuda_cupti/lib/libcupti.so.12").string(),
                  Place::of_program});
}

TEST_CASE("folders without libcupti are no candidates", "[cupti]") {
  const NoEnvironment clean;
  const TemporaryFolder folder;
  const ScopedVariable home("CUDA_HOME", folder.path().c_str());
  CHECK(inside(library_candidates(none_loaded, folder.path()), folder.path()).empty());
}

}  // namespace
}  // namespace lapscope::cupti
