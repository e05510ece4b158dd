#include "collector/cupti/library_places.h"

#include <link.h>

#include <algorithm>
#include <cstdlib>

namespace lapscope::cupti {
namespace {

namespace fs = std::filesystem;

class Candidates {
 public:
  void add(const fs::path& folder, Place place) {
    for (const std::string_view name : library_names) {
      std::error_code ignored;
      const fs::path file = (folder / name).lexically_normal();
      if (fs::exists(file, ignored)) add_file(file.string(), place);
    }
  }
  void add_file(std::string path, Place place) {
    const auto is_same = [&path](const Candidate& known) { return known.path == path; };
    if (std::ranges::none_of(found_, is_same)) found_.push_back({std::move(path), place});
  }
  // Adds the libraries of wheels. Wheels of CUDA 13 put all libraries into one folder. Wheels of
  // CUDA 12 have a folder for each library.
  void add_wheels(const fs::path& packages, Place place) {
    add(packages / "nvidia/cu13/lib", place);
    add(packages / "nvidia/cuda_cupti/lib", place);
  }
  void add_environment(const fs::path& prefix, Place place) {
    std::error_code ignored;
    std::vector<fs::path> versions;
    for (const auto& entry : fs::directory_iterator(prefix / "lib", ignored)) {
      if (entry.path().filename().string().starts_with("python3")) versions.push_back(entry.path());
    }
    std::ranges::sort(versions, std::ranges::greater());
    for (const fs::path& version : versions) {
      for (const char* packages : {"site-packages", "dist-packages"}) {
        add_wheels(version / packages, place);
      }
    }
  }
  void add_toolkit(const fs::path& toolkit, Place place) {
    for (const char* folder : {"extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib",
                               "targets/sbsa-linux/lib"}) {
      add(toolkit / folder, place);
    }
  }
  std::vector<Candidate> take() { return std::move(found_); }

 private:
  std::vector<Candidate> found_;
};

std::optional<fs::path> folder_of(const char* variable) {
  const char* value = std::getenv(variable);
  if (!value || !*value) return std::nullopt;
  return fs::path(value);
}

void add_places_of_program(const std::vector<std::string>& loaded_files, Candidates& candidates) {
  for (const std::string& file : loaded_files) {
    const fs::path path(file);
    if (path.filename().string().starts_with("libcudart.so.")) {
      const fs::path folder = path.parent_path();
      candidates.add(folder, Place::of_program);  // a toolkit of conda, wheels of CUDA 13
      candidates.add(folder / "../../cuda_cupti/lib", Place::of_program);   // wheels of CUDA 12
      candidates.add(folder / "../extras/CUPTI/lib64", Place::of_program);  // a toolkit
      candidates.add(folder / "../../../extras/CUPTI/lib64", Place::of_program);  // in targets/
    }
  }
  for (const std::string& file : loaded_files) {
    for (const std::string_view packages : {"/site-packages/", "/dist-packages/"}) {
      const std::size_t at = file.find(packages);
      if (at == std::string::npos) continue;
      candidates.add_wheels(file.substr(0, at + packages.size()), Place::of_program);
    }
  }
}

std::vector<fs::path> installed_toolkits() {
  std::vector<fs::path> installed;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/local", ignored)) {
    if (entry.path().filename().string().starts_with("cuda")) installed.push_back(entry.path());
  }
  // Newest first: "cuda-13.0" before "cuda-12.9". "cuda" is the version that was chosen for this
  // machine, so it comes first.
  std::sort(installed.begin(), installed.end(), [](const fs::path& a, const fs::path& b) {
    const bool plain_a = a.filename() == "cuda";
    const bool plain_b = b.filename() == "cuda";
    return plain_a != plain_b ? plain_a : a > b;
  });
  return installed;
}

std::vector<std::string> loaded_files() {
  std::vector<std::string> files;
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        if (object->dlpi_name && *object->dlpi_name) {
          static_cast<std::vector<std::string>*>(to)->emplace_back(object->dlpi_name);
        }
        return 0;
      },
      &files);
  return files;
}

}  // namespace

std::string_view words(Place place) {
  switch (place) {
    case Place::asked_for:
      return "as asked for";
    case Place::in_process:
      return "in the process already";
    case Place::of_program:
      return "with the program's own CUDA libraries";
    case Place::beside_lapscope:
      return "beside the collector library";
    case Place::wheel:
      return "in a wheel of this Python environment";
    case Place::conda:
      return "in the conda environment";
    case Place::loader:
      return "on the loader's path";
    case Place::toolkit:
      break;
  }
  return "in a CUDA toolkit";
}

std::vector<Candidate> library_candidates(const std::vector<std::string>& loaded,
                                          const fs::path& own_folder) {
  Candidates candidates;
  add_places_of_program(loaded, candidates);
  if (!own_folder.empty()) {
    candidates.add(own_folder, Place::beside_lapscope);
    // If lapscope was installed from a wheel, the collector is in PREFIX/lib/lapscope.
    candidates.add_environment(own_folder / "../..", Place::wheel);
  }
  if (const auto environment = folder_of("VIRTUAL_ENV")) {
    candidates.add_environment(*environment, Place::wheel);
  }
  if (const auto conda = folder_of("CONDA_PREFIX")) {
    candidates.add_toolkit(*conda, Place::conda);
    candidates.add_environment(*conda, Place::conda);
  }
  for (const std::string_view name : library_names) {
    candidates.add_file(std::string(name), Place::loader);
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const auto toolkit = folder_of(variable)) candidates.add_toolkit(*toolkit, Place::toolkit);
  }
  for (const fs::path& toolkit : installed_toolkits()) {
    candidates.add_toolkit(toolkit, Place::toolkit);
  }
  return candidates.take();
}

std::vector<Candidate> library_candidates(const std::optional<std::string>& asked_for,
                                          const fs::path& own_folder) {
  if (asked_for) return {{*asked_for, Place::asked_for}};
  return library_candidates(loaded_files(), own_folder);
}

}  // namespace lapscope::cupti
