#include "workloads/implicit_sync/survey.h"

#include <string>

#include "workloads/harness/guard.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/report.h"
#include "workloads/implicit_sync/experiment.h"

namespace lapscope::workloads::implicit_sync {
namespace {

void measure(Rig& rig, const Trial& trial, int repeats, CallResult& result) {
  time_idle(rig, trial);
  for (int i = 0; i < repeats; ++i) result.idle_ms.push_back(time_idle(rig, trial));
  const double idle_ms = median(result.idle_ms);
  const auto length = kernel_length(idle_ms);
  result.kernel_ms = std::chrono::duration<double, std::milli>(length).count();

  for (int i = 0; i < repeats; ++i) {
    for (const Arrangement arrangement : arrangements) {
      result.seen[static_cast<std::size_t>(arrangement)].push_back(
          observe(rig, trial, arrangement, length));
    }
  }
  result.behaviour = judge(result.seen, idle_ms);
}

}  // namespace

CallResult survey(Rig& rig, const Call& call, int repeats) {
  CallResult result;
  result.call = &call;
  const NvtxRange range(std::string(call.name).c_str());
  try {
    measure(rig, call.make(rig), repeats, result);
  } catch (const SkippedError& reason) {
    cudaGetLastError();
    result.unavailable = reason.what();
  }
  return result;
}

double busy_ms(const CallResult& result) {
  std::vector<double> all;
  for (const auto& seen : result.seen[static_cast<std::size_t>(Arrangement::beside)]) {
    all.push_back(seen.call_ms);
  }
  return median(all);
}

}  // namespace lapscope::workloads::implicit_sync
