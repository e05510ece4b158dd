#include "analyzer/scope/scope.h"

#include <map>

namespace lapscope::analyzer {
namespace {

// From the first start to the last end of these ops.
Interval hull(const Ops& ops, const OpSet& members) {
  Interval window = ops.interval(members[0]);
  for (std::size_t i = 0; i < members.size(); ++i) {
    window.end = std::max(window.end, ops.end[members[i]]);
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

// The ops whose issuing calls are accepted, from first start to last end.
template <class Accepts>
std::optional<Scope> issued_by(const Ops& ops, Accepts&& accepts) {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    if (ops.issue[op] != no_index && accepts(ops.issue[op])) chosen.push_back(op);
  }
  if (chosen.empty()) return std::nullopt;
  Scope scope;
  scope.ops = OpSet::of(std::move(chosen));
  scope.window = hull(ops, scope.ops);
  return scope;
}

}  // namespace

std::string_view name_of(ScopeKind kind) {
  switch (kind) {
    case ScopeKind::device:
      return "device";
    case ScopeKind::window:
      return "window";
    case ScopeKind::nvtx:
      return "nvtx";
    case ScopeKind::profiler:
      return "profiler";
  }
  return "";
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

std::optional<Scope> issued_in(const Ops& ops, const Calls& calls,
                               const std::vector<NvtxRange>& ranges) {
  std::map<std::int64_t, std::vector<Interval>> by_thread;
  for (const NvtxRange& range : ranges) by_thread[range.global_tid].push_back(range.interval);
  std::map<std::int64_t, IntervalSet> covered;
  for (auto& [tid, intervals] : by_thread) {
    covered.emplace(tid, IntervalSet::union_of(std::move(intervals)));
  }
  return issued_by(ops, [&](std::uint32_t call) {
    const auto thread = covered.find(calls.threads[calls.thread_of(call)].global_tid);
    return thread != covered.end() && contains(thread->second, calls.interval(call));
  });
}

std::optional<Scope> issued_while(const Ops& ops, const Calls& calls,
                                  const std::vector<ProcessStretches>& processes) {
  return issued_by(ops, [&](std::uint32_t call) {
    const std::int64_t tid = calls.threads[calls.thread_of(call)].global_tid;
    const std::uint32_t pid = pid_of(tid);
    return std::any_of(processes.begin(), processes.end(), [&](const ProcessStretches& process) {
      return process.pid == pid && contains(process.stretches, calls.interval(call));
    });
  });
}

}  // namespace lapscope::analyzer
