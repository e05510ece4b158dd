#include "analyzer/machine/host_threads.h"

#include <algorithm>

namespace lapscope::analyzer {

HostThreads::HostThreads(PartsOf<CallLoad> calls, std::uint32_t first)
    : calls_(calls), first_(first), states_(calls.size()) {
  for (std::size_t c = 0; c < calls.size(); ++c) states_[c].waits = calls[c].wait_count;
}

void HostThreads::start(std::uint32_t call, Ns now) {
  states_[call - first_].begun = now;
  if (states_[call - first_].waits == 0) end(call);
}

void HostThreads::end_wait(std::uint32_t call, Ns end_of_task) {
  State& state = states_[call - first_];
  state.until = std::max(state.until, end_of_task);
  if (--state.waits == 0 && state.begun != never) end(call);
}

void HostThreads::end(std::uint32_t call) {
  const State& state = states_[call - first_];
  const CallLoad& own = calls_[call - first_];
  Ns end = state.begun + own.call_overhead;
  if (state.until != never) end = std::max(end, state.until + own.return_latency);
  announce({end, EventKind::call_ends, call});
}

}  // namespace lapscope::analyzer
