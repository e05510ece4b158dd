#include <cstdlib>

#include "collector/doctor/checks.h"
#include "collector/environment.h"
#include "collector/launch/child_program.h"

namespace lapscope::doctor {
namespace {

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

}  // namespace

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
