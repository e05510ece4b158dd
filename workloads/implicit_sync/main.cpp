// Measures which CUDA calls wait, and for which work (see --help and README.md).

#include <algorithm>
#include <ctime>
#include <iostream>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/controls.h"
#include "workloads/implicit_sync/implicit_sync_options.h"
#include "workloads/implicit_sync/survey.h"

namespace lapscope::workloads::implicit_sync {
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2026-11-21"];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

Survey survey_all(const std::vector<const Call*>& calls, int repeats) {
  Rig::separate_queues();
  const DeviceInfo device = open_device();
  Rig rig(device);
  Survey all{device.name, read_cuda_versions(), repeats, {}, {}, today()};
  for (const Call* call : calls) {
    CallResult result = survey(rig, *call, repeats);
    if (call->claim.says == Documented::control) {
      if (auto failure = find_failure(call->name, result.behaviour))
        all.failures.push_back(*failure);
    }
    all.results.push_back(std::move(result));
  }
  return all;
}

// Throws std::runtime_error if a control failed, and SkippedError if no requested call can be made.
void verify(const Survey& all) {
  if (!all.failures.empty()) throw std::runtime_error(all.failures.front());
  const auto is_measured = [](const CallResult& result) {
    return result.unavailable.empty() && result.call->claim.says != Documented::control;
  };
  const CallResult& last = all.results.back();
  if (std::ranges::any_of(all.results, is_measured) || last.unavailable.empty()) return;
  throw SkippedError(last.unavailable);
}

void run(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) return;
  const auto calls = select_calls(options->calls);
  if (options->list) return render_list(std::cout, calls);

  const Survey all = survey_all(calls, options->repeats);
  (options->format == Format::json ? render_json : render_text)(std::cout, all);
  verify(all);
}

}  // namespace
}  // namespace lapscope::workloads::implicit_sync

int main(int argc, char** argv) {
  using namespace lapscope::workloads;
  return guard("implicit_sync", [&] { implicit_sync::run(argc, argv); });
}
