#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "collector/doctor/checks.h"
#include "collector/environment.h"
#include "collector/launch/child_program.h"

#ifdef LAPSCOPE_HAVE_CUDA
#include "collector/cupti/cupti_api.h"
#endif

namespace lapscope::doctor {
namespace {

std::string text_of(int cuda) {
  return std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10);
}

// A CUDA release and the number of its first CUPTI version. Before CUDA 13, the versions of CUPTI
// have the numbers 1, 2, 3 and so on.
struct Release {
  std::uint32_t first;  // cuptiGetVersion
  int cuda;
};
constexpr Release releases[] = {{28, 12090}, {27, 12090}, {26, 12080}, {24, 12060}, {23, 12050},
                                {22, 12040}, {21, 12030}, {20, 12020}, {18, 12000}};

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

}  // namespace

std::optional<int> cuda_of_driver() {
  void* library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return std::nullopt;
  // The library is not closed, because libcuda does not tolerate unloading well.
  const auto get_version = reinterpret_cast<int (*)(int*)>(::dlsym(library, "cuDriverGetVersion"));
  int version = 0;
  if (!get_version || get_version(&version) != 0) return std::nullopt;
  return version;
}

Findings check_cuda() {
  void* library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);  // stays loaded, too
  if (!library) return {};
  const auto init = reinterpret_cast<int (*)(unsigned)>(::dlsym(library, "cuInit"));
  if (!init) return {};
  // cuInit must not load another tool into this process.
  ::unsetenv("CUDA_INJECTION64_PATH");
  const int result = init(0);
  if (result == 0) return {{Level::good, "CUDA", "cuInit works", ""}};
  using Describe = int (*)(int, const char**);
  const auto described = [&](const char* function, const char* otherwise) -> std::string {
    const auto describe = reinterpret_cast<Describe>(::dlsym(library, function));
    const char* text = nullptr;
    return describe && describe(result, &text) == 0 && text ? text : otherwise;
  };
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return {{Level::bad, "CUDA",
           "cuInit fails with " + described("cuGetErrorName", "error") + " (" +
               std::to_string(result) +
               "): " + described("cuGetErrorString", "the driver has no text for it"),
           visible ? "CUDA_VISIBLE_DEVICES is '" + std::string(visible) +
                         "': check that it names devices of this machine."
                   : "Every program that uses CUDA fails here; nvidia-smi and the kernel's log may "
                     "say why."}};
}

std::optional<int> cuda_of_cupti(std::uint32_t version) {
  constexpr std::uint32_t cuda_13 = 130000;  // since CUDA 13, versions are MMmmpp
  if (version >= cuda_13) {
    return static_cast<int>(version / 10000 * 1000 + version / 100 % 100 * 10);
  }
  for (const Release& release : releases) {
    if (release.first <= version) return release.cuda;
  }
  return std::nullopt;
}

Findings check_versions(std::optional<int> driver, std::optional<int> cupti) {
  if (!driver) {
    return {{Level::bad, "libcuda", "libcuda.so.1 cannot be loaded",
             "Install the driver's user part, or start the container with the GPU's libraries."}};
  }
  const std::string state = "for CUDA " + text_of(*driver);
  if (cupti && *driver / 1000 < *cupti / 1000) {
    return {{Level::bad, "libcuda", state + ", and CUPTI is of CUDA " + text_of(*cupti),
             "Name a libcupti that is not newer than the driver with record --cupti, or update "
             "the driver."}};
  }
  if (cupti && *driver < *cupti) {
    return {{Level::note, "libcuda", state + ", and CUPTI is of CUDA " + text_of(*cupti),
             "Kinds of records that the driver does not have yet will be missing."}};
  }
  return {{Level::good, "libcuda", state, ""}};
}

FoundCupti find_cupti([[maybe_unused]] const std::optional<std::string>& explicit_path) {
#ifdef LAPSCOPE_HAVE_CUDA
  FoundCupti found;
  const auto own_folder = launch::find_collector().path.parent_path();
  const cupti::LoadResult loaded = cupti::load_cupti(explicit_path, own_folder);
  if (!loaded.api) {
    found.problem = loaded.problem;
    return found;
  }
  found.version = loaded.api->version;
  found.path = loaded.api->path;
  found.place = cupti::words(loaded.place);
  cupti::is_usable(*loaded.api, found.problem);
  return found;
#else
  return {std::nullopt, "", "",
          "this lapscope was built without the CUDA toolkit and cannot record"};
#endif
}

Findings check_collector() {
  const launch::CollectorLibrary collector = launch::find_collector();
  if (collector.path.empty()) {
    return {{Level::bad, "collector", "the collector library is missing", collector.problem}};
  }
  return {{Level::good, "collector", collector.path.string(), ""}};
}

Findings check_cupti(const FoundCupti& found) {
  if (!found.problem.empty() && found.version == 0u) {
    return {{Level::note, "CUPTI", found.problem, "Run doctor where the driver is loaded."}};
  }
  if (!found.problem.empty()) {
    return {{Level::bad, "CUPTI", found.problem,
             "Install it with pip (nvidia-cuda-cupti for CUDA 13, nvidia-cuda-cupti-cu12 for CUDA "
             "12) or with the CUDA toolkit, or name a libcupti.so with record --cupti."}};
  }
  return {{Level::good, "CUPTI",
           "version " + std::to_string(found.version.value_or(0)) + ", " + found.place + ": " +
               found.path + " (a program that brings its own is recorded with that)",
           ""}};
}

Findings check_injections() {
  Findings findings;
  for (const char* variable : {environment::cuda_injection, environment::nvtx_injection}) {
    const std::string value = value_of(variable);
    if (value.empty()) continue;
    findings.push_back({Level::bad, "other tools", std::string(variable) + " is '" + value + "'",
                        "Unset it: CUPTI serves one tool at a time."});
  }
  const std::string preloaded = value_of("LD_PRELOAD");
  for (const char* tool : {"ToolsInjection", "nsys", "cupti", "vampir", "scorep", "tau"}) {
    if (preloaded.find(tool) == std::string::npos) continue;
    findings.push_back({Level::note, "other tools", "LD_PRELOAD has '" + preloaded + "'",
                        "If that is a profiler, CUPTI serves whichever of the two comes first."});
    break;
  }
  if (value_of("CUDA_LAUNCH_BLOCKING") == "1") {
    findings.push_back({Level::note, "environment", "CUDA_LAUNCH_BLOCKING is 1",
                        "Launches wait for their work, so nothing overlaps. Unset it unless you "
                        "examine its effect."});
  }
  if (findings.empty())
    findings.push_back({Level::good, "other tools", "none in the environment", ""});
  return findings;
}

}  // namespace lapscope::doctor
