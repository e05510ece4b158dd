#include <algorithm>
#include <optional>

#include "analyzer/explain/places.h"
#include "analyzer/findings/advice/steps.h"
#include "analyzer/findings/host_functions.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
// Adds advice if the device is busy for less than assumed::noteworthy of the time from the first
// CUDA call to the last. In this case, faster work on the device saves almost nothing. Does not
// compare with the scope's window, because a scope can be a single memset.
bool tell_little_work(const AdviceInput& in, std::vector<Advice>& advice) {
  const Trace& trace = in.sources.trace;
  const Ops& ops = trace.devices[in.scope.device].ops;
  if (in.scope.leaves_out_ops || ops.size() == 0 || !in.result.findings.empty()) return false;
  std::optional<Interval> calls;
  for (std::size_t call = 0; call < trace.calls.size(); ++call) {
    const Interval one = trace.calls.interval(call);
    if (!calls) calls = one;
    calls->extend_to(one);
  }
  std::vector<Interval> running;
  for (std::size_t op = 0; op < ops.size(); ++op) running.push_back(ops.interval(op));
  const IntervalSet busy = IntervalSet::union_of(std::move(running));
  if (!calls || busy.empty()) return false;
  if (portion(busy.length(), calls->length()) >= assumed::noteworthy) return false;
  const std::string first = name_of_op(trace, trace.devices[in.scope.device], 0);
  advice.push_back(
      {LittleWork{busy.length(), static_cast<std::int64_t>(ops.size()), first, calls->length()},
       true});
  return true;
}

// Adds advice that states why no fix saves enough: the host takes the time, or the ops depend on
// each other.
void advise_dependence(const AdviceInput& in, std::vector<Advice>& advice) {
  for (const BlameRow& row : in.result.blame) {
    const auto cause = cause_of_code(row.code);
    if (row.kind == BlameKind::work || !cause || !is_of_host(*cause)) continue;
    if (portion(row.ns, in.wall) < assumed::large_part) break;
    advice.push_back({BoundByHost{portion(row.ns, in.wall), row.code}});
    return;
  }
  // If the result is inconclusive, there is no advice, because the program may be able to avoid the
  // unexplained time.
  if (!in.result.is_conclusive()) return;
  advice.push_back({NothingIndependent{}});
}

// Adds advice that names the functions of the host work between calls, if another tool recorded
// these functions.
void tell_host_time(const AdviceInput& in, std::vector<Advice>& advice) {
  if (in.sources.trace.host_states.empty()) return;
  auto functions = host_functions(
      in.sources, critical_path(in.sources, in.scope.tasks, in.scope.window), in.wall);
  if (functions) advice.push_back({std::move(*functions)});
}

}  // namespace lapscope::analyzer
