#include "analyzer/gate/troubles.h"

#include <fmt/format.h>

#include <algorithm>

namespace lapscope::analyzer {
namespace {

std::string unsound(const RunSummary& run) {
  const auto row = std::find_if(run.health.begin(), run.health.end(), [](const HealthRow& health) {
    return health.severity == Severity::error;
  });
  return fmt::format("'{}' cannot be relied on{}", run.source(),
                     row == run.health.end() ? "." : ": " + row->message);
}

const std::string& gpu_of(const RunSummary& run, std::int64_t device) {
  static const std::string unknown;
  const DeviceSummary* found = find_device(run, device);
  return found == nullptr ? unknown : found->name;
}

}  // namespace

std::string trouble_of(const Gate& gate, Runs runs) {
  for (const RunSummary& run : runs) {
    if (run.trust != Trust::sound) return unsound(run);
  }
  for (const RunSummary& run : runs) {
    if (run.trace.command != runs[0].trace.command && !gate.allow_other_command) {
      return fmt::format(
          "'{}' and '{}' are runs of different commands and so no repeats; judge them one by one, "
          "or "
          "use --allow-other-command, or allow_other_command in the gate file.",
          runs[0].source(), run.source());
    }
  }
  return "";
}

std::string trouble_of(const Gate& gate, const GatedWork& work, Runs runs) {
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const ScopeSummary* scope = work.scopes[run];
    if (scope == nullptr) {
      return fmt::format("'{}' has no such work, others have.", runs[run].source());
    }
    if (scope->ops < gate.least_ops) {
      return fmt::format("'{}' has {} {} there, fewer than {}.", runs[run].source(), scope->ops,
                         scope->ops == 1 ? "op" : "ops", gate.least_ops);
    }
    const std::string& gpu = gpu_of(runs[run], work.device);
    if (gpu != work.gpu && !gate.allow_other_gpu) {
      return fmt::format(

          "The repeats ran on different GPUs, {} and {}; if that is meant, use --allow-other-gpu, "
          "or allow_other_gpu in the gate file.",
          work.gpu, gpu);
    }
  }
  return "";
}

}  // namespace lapscope::analyzer
