#include "analyzer/measures/scope.h"

#include <algorithm>
#include <map>

namespace lapscope::analyzer {
namespace {

// From the first start to the last end of these ops.
Interval hull(const Ops& ops, const std::vector<std::uint32_t>& members) {
  Interval window = ops.interval(members.front());
  for (const std::uint32_t op : members) {
    window.start = std::min(window.start, ops.start[op]);
    window.end = std::max(window.end, ops.end[op]);
  }
  return window;
}

bool contains(const IntervalSet& set, const Interval& interval) {
  const auto intervals = set.intervals();
  const auto after =
      std::upper_bound(intervals.begin(), intervals.end(), interval.start,
                       [](std::int64_t start, const Interval& i) { return start < i.start; });
  return after != intervals.begin() && interval.end <= std::prev(after)->end;
}

}  // namespace

Scope whole(const Ops& ops) {
  Scope scope;
  scope.ops.resize(ops.size());
  for (std::size_t op = 0; op < ops.size(); ++op) scope.ops[op] = static_cast<std::uint32_t>(op);
  scope.window = hull(ops, scope.ops);
  return scope;
}

std::optional<Scope> within(const Ops& ops, Interval window) {
  Scope scope{window, {}};
  for (std::size_t op = 0; op < ops.size(); ++op) {
    const bool reaches_in = ops.start[op] < window.end && ops.end[op] > window.start;
    const bool instant_inside = ops.start[op] == ops.end[op] && window.start <= ops.start[op] &&
                                ops.start[op] <= window.end;
    if (reaches_in || instant_inside) scope.ops.push_back(static_cast<std::uint32_t>(op));
  }
  if (scope.ops.empty()) return std::nullopt;
  return scope;
}

std::optional<Scope> issued_in(const Ops& ops, const Calls& calls,
                               const std::vector<NvtxRange>& ranges) {
  std::map<std::int64_t, std::vector<Interval>> by_thread;
  for (const NvtxRange& range : ranges) by_thread[range.global_tid].push_back(range.interval);
  std::map<std::int64_t, IntervalSet> covered;
  for (auto& [tid, intervals] : by_thread) {
    covered.emplace(tid, IntervalSet::union_of(std::move(intervals)));
  }
  Scope scope;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    const std::uint32_t call = ops.issue[op];
    if (call == no_index) continue;
    const auto thread = covered.find(calls.threads[calls.thread[call]].global_tid);
    if (thread != covered.end() && contains(thread->second, calls.interval(call))) {
      scope.ops.push_back(static_cast<std::uint32_t>(op));
    }
  }
  if (scope.ops.empty()) return std::nullopt;
  scope.window = hull(ops, scope.ops);
  return scope;
}

}  // namespace lapscope::analyzer
