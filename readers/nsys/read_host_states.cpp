#include <algorithm>
#include <tuple>

#include "readers/nsys/host_records.h"

namespace lapscope::analyzer::nsys {
namespace {

using Kind = HostState::Kind;

// Returns the innermost named function of the stack; 0 if no function has a name.
std::uint32_t named_function(const CallStacks& stacks, std::uint32_t chain) {
  if (chain == CallStacks::none) return 0;
  for (const Frame& frame : stacks.chain(chain)) {
    if (frame.function != 0) return frame.function;
  }
  return 0;
}

}  // namespace

void add_host_states(const HostRecords& records, Trace& trace) {
  const auto add = [&trace](std::uint32_t thread, const HostState& state) {
    trace.host_states.resize(trace.calls.threads.size());
    trace.host_states[thread].push_back(state);
  };
  for (const HostRecords::Call& call : records.calls) {
    add(call.thread, {call.kind, call.name, call.interval});
  }
  for (const HostRecords::Stretch& one : records.scheduling) {
    if (!one.is_on) add(one.thread, {Kind::not_running, 0, one.interval});
  }
  for (const HostRecords::Sample& sample : records.samples) {
    const std::uint32_t function = named_function(trace.host_samples.stacks, sample.chain);
    if (function != 0) add(sample.thread, {Kind::sample, function, {sample.time, sample.time}});
  }
  for (auto& states : trace.host_states) {
    std::sort(states.begin(), states.end(), [](const HostState& a, const HostState& b) {
      return std::tie(a.interval.start, a.interval.end, a.kind, a.name) <
             std::tie(b.interval.start, b.interval.end, b.kind, b.name);
    });
  }
}

}  // namespace lapscope::analyzer::nsys
