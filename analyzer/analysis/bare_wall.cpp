#include "analyzer/analysis/bare_wall.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/analysis/host_clock.h"
#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {
namespace {

// Whether an op ended in the interval that it was issued in. `open` has the intervals in which at
// least one range was open. If the op was issued in no interval, uses the last one before it.
bool ended_inside(const Ops& ops, const Calls& calls, std::uint32_t op, const IntervalSet& open) {
  const Ns issued = ops.issue[op] == no_index ? ops.start[op] : calls.start[ops.issue[op]];
  const auto after = std::ranges::upper_bound(open.intervals(), issued, {}, &Interval::start);
  return after == open.intervals().begin() || ops.end[op] <= std::prev(after)->end;
}

// Returns the exit status of this trace's run, which is the last recorded run in `runs`.
std::optional<std::int64_t> own_status(const std::vector<RunTime>& runs) {
  std::optional<std::int64_t> status;
  for (const RunTime& run : runs) {
    if (run.is_recorded && !run.range) status = run.exit_status;
  }
  return status;
}

}  // namespace

BareWall compared_with_bare_runs(const Trace& trace, const std::vector<NvtxRange>& ranges) {
  BareWall wall;
  std::set<std::string_view> names;
  for (const NvtxRange& range : ranges) {
    names.insert(trace.names.text(range.name));
    if (range.interval.end != latest_time) continue;
    wall.reason = "a range was never closed";
    return wall;
  }
  wall.recorded_ns = open_time(ranges);
  std::map<std::int64_t, RunTime> runs;  // by run: the sums over these names
  for (const RunTime& run : trace.runs) {
    if (run.is_recorded || !run.range || names.count(*run.range) == 0) continue;
    RunTime& sum = runs[run.run];
    sum.exit_status = run.exit_status;
    sum.count += run.count;
    sum.ns += run.ns;
  }
  const auto status = own_status(trace.runs);
  std::vector<Ns> bare;
  for (const auto& [number, run] : runs) {
    const bool is_same = run.count == static_cast<std::int64_t>(ranges.size());
    if (run.exit_status == status && is_same) bare.push_back(run.ns);
  }
  const bool others = bare.size() < runs.size();
  if (bare.empty()) {
    wall.reason = others ? "bare runs ended otherwise, or had another number of these ranges"
                         : "no bare run had such a range";
    return wall;
  }
  std::sort(bare.begin(), bare.end());
  wall.runs = static_cast<std::int64_t>(bare.size());
  wall.median_ns = bare[(bare.size() - 1) / 2];
  wall.least_ns = bare.front();
  wall.most_ns = bare.back();
  return wall;
}

std::optional<BareWall> bare_wall_of(const Trace& trace, const ResolvedScope& scope) {
  if (trace.runs.empty() || scope.ranges.empty()) return std::nullopt;
  BareWall wall = compared_with_bare_runs(trace, scope.ranges);
  if (!wall.reason.empty()) return wall;
  const Ops& ops = trace.devices[scope.device].ops;
  std::vector<Interval> intervals;
  for (const NvtxRange& range : scope.ranges) intervals.push_back(range.interval);
  const IntervalSet open = IntervalSet::union_of(std::move(intervals));
  wall.ended_synchronized = true;
  for (std::size_t i = 0; i < scope.scope.ops.size() && wall.ended_synchronized; ++i) {
    wall.ended_synchronized = ended_inside(ops, trace.calls, scope.scope.ops[i], open);
  }
  return wall;
}

}  // namespace lapscope::analyzer
