#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {
namespace {

// Returns the interval from the first start to the last end of `members`.
Interval hull(const Ops& ops, const OpSet& members) {
  Interval window = ops.interval(members[0]);
  for (std::size_t i = 0; i < members.size(); ++i) {
    window.end = std::max(window.end, ops.end[members[i]]);
  }
  return window;
}

}  // namespace

std::string_view name_of(ScopeKind kind) {
  constexpr std::string_view names[] = {"device", "window", "nvtx", "profiler", "steady"};
  static_assert(std::size(names) == static_cast<std::size_t>(ScopeKind::steady) + 1);
  return names[static_cast<std::size_t>(kind)];
}

OpSet OpSet::all_of(const Ops& ops) {
  OpSet set;
  set.size_ = ops.size();
  return set;
}

OpSet OpSet::of(std::vector<std::uint32_t> ascending) {
  OpSet set;
  set.size_ = ascending.size();
  set.listed_ = std::move(ascending);
  return set;
}

void OpSet::assign(const std::vector<std::uint32_t>& ascending) {
  listed_ = ascending;
  size_ = listed_.size();
}

Scope whole(const Ops& ops) {
  Scope scope;
  scope.ops = OpSet::all_of(ops);
  scope.window = hull(ops, scope.ops);
  return scope;
}

std::optional<Scope> within(const Ops& ops, Interval window) {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t op = 0; op < ops.size() && ops.start[op] < window.end; ++op) {
    const bool reaches_in = ops.end[op] > window.start;
    const bool instant_inside = ops.start[op] == ops.end[op] && window.start <= ops.start[op];
    if (reaches_in || instant_inside) chosen.push_back(op);
  }
  if (chosen.empty()) return std::nullopt;
  return Scope{window, OpSet::of(std::move(chosen))};
}

std::optional<Scope> of_ops(const Ops& ops, std::vector<std::uint32_t> chosen) {
  if (chosen.empty()) return std::nullopt;
  if (chosen.size() == ops.size()) return whole(ops);
  Scope scope;
  scope.ops = OpSet::of(std::move(chosen));
  scope.window = hull(ops, scope.ops);
  return scope;
}

std::optional<Scope> issued_between(const Ops& ops, const Calls& calls, Interval stretch) {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    const Ns issued = time_of_issue(ops, calls, op);
    if (stretch.start <= issued && issued < stretch.end) chosen.push_back(op);
  }
  return of_ops(ops, std::move(chosen));
}

IntervalSet busy_of(const Ops& ops) {
  std::vector<Interval> intervals;
  intervals.reserve(ops.size());
  for (std::uint32_t op = 0; op < ops.size(); ++op) intervals.push_back(ops.interval(op));
  return IntervalSet::union_of(std::move(intervals));
}

std::optional<Scope> issued_while(const Ops& ops, const Calls& calls,
                                  const std::vector<ProcessStretches>& processes) {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    const std::uint32_t call = ops.issue[op];
    if (call == no_index) continue;
    const std::uint32_t pid = pid_of(calls.threads[calls.thread_of(call)].global_tid);
    const bool is_inside = std::ranges::any_of(processes, [&](const ProcessStretches& process) {
      return process.pid == pid && process.stretches.contains(calls.interval(call));
    });
    if (is_inside) chosen.push_back(op);
  }
  return of_ops(ops, std::move(chosen));
}

}  // namespace lapscope::analyzer
