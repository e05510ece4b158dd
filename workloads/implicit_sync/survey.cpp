#include "workloads/implicit_sync/survey.h"

#include <string>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/workload_report.h"

namespace lapscope::workloads::implicit_sync {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void wait_until_idle() { check(cudaDeviceSynchronize(), "wait for the device"); }

void wait_until_started(const KernelSpan& span) {
  const auto begin = Clock::now();
  while (!has_started(span)) {
    if (Clock::now() - begin > 10s) throw std::runtime_error("a kernel did not start within 10 s");
  }
}

struct TimedCall {
  cudaError_t error = cudaSuccess;
  double ms = 0;
};

TimedCall make(const Trial& trial) {
  const auto begin = Clock::now();
  const cudaError_t error = trial.run();
  const double ms = ms_since(begin);
  // Clears the runtime's last error, even "not ready". Otherwise the next launch would return it.
  cudaGetLastError();
  return {error, ms};
}

void put_kernels(Rig& rig, const Trial& trial, Arrangement arrangement) {
  rig.before = rig.non_blocking_before.get();
  rig.after = rig.non_blocking_after.get();
  if (arrangement == Arrangement::blocking) {
    rig.before = rig.blocking_before.get();
    rig.after = rig.blocking_after.get();
  }
  if (arrangement == Arrangement::own) rig.before = trial.own();
  if (arrangement == Arrangement::marker) {
    rig.after = trial.own_after ? trial.own_after() : trial.own();
  }
}

}  // namespace

double time_idle(Rig& rig, const Trial& trial) {
  trial.prepare();
  put_kernels(rig, trial, Arrangement::beside);
  trial.arm();
  wait_until_idle();
  const TimedCall call = make(trial);
  wait_until_idle();
  require(call.error, "make the call on an idle device");
  trial.clean();
  wait_until_idle();
  return call.ms;
}

Observation observe(Rig& rig, const Trial& trial, Arrangement arrangement,
                    std::chrono::nanoseconds length) {
  KernelSpan& before = rig.spans.span()[0];
  KernelSpan& after = rig.spans.span()[1];
  before = after = {};
  trial.prepare();
  put_kernels(rig, trial, arrangement);
  wait_until_idle();

  Observation seen;
  rig.kernel.launch(&before, length, rig.multiprocessors, rig.before);
  wait_until_started(before);
  const auto started = Clock::now();
  trial.arm();
  const TimedCall call = make(trial);
  seen.call_ms = call.ms;
  seen.ended_before_return = has_ended(before);
  if (arrangement != Arrangement::own) {
    const auto issued = Clock::now();
    rig.kernel.launch(&after, 20us, 1, rig.after);
    seen.issue_ms = ms_since(issued);
  }
  seen.left_ms = std::chrono::duration<double, std::milli>(length).count() - ms_since(started);

  wait_until_idle();
  require(call.error, "make the call while a kernel runs");
  seen.before = before;
  seen.after = after;
  trial.clean();
  wait_until_idle();
  return seen;
}

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
