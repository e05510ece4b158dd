#include "analyzer/findings/graph_scope.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Calls take(interval) for the time of each task in a replay, without the parts in `cuts`.
template <class Take>
void for_intervals(const GraphScope& scope, const Times& times, Take&& take) {
  auto cut = scope.cuts.begin();
  for (std::size_t i = 0; i < scope.tasks.size(); ++i) {
    const std::uint32_t t = scope.tasks[i];
    Interval interval = times.tasks[t];
    if (cut != scope.cuts.end() && cut->task == i) {
      const auto length = static_cast<double>(interval.length());
      interval.start += std::llround(length * cut->before);
      interval.end -= std::llround(length * cut->after);
      ++cut;
    }
    take(interval);
  }
}

void cut_at_borders(const Graph& graph, GraphScope& scope) {
  const Interval& window = scope.window;
  Interval inside{window.end, window.start};
  for (std::size_t i = 0; i < scope.tasks.size(); ++i) {
    const Interval& task = graph.times.tasks[scope.tasks[i]];
    inside.start = std::min(inside.start, std::max(task.start, window.start));
    inside.end = std::max(inside.end, std::min(task.end, window.end));
    const auto length = static_cast<double>(task.length());
    const Ns before = window.start - task.start;
    const Ns after = task.end - window.end;
    if (before <= 0 && after <= 0) continue;
    scope.cuts.push_back({i, static_cast<double>(std::max<Ns>(0, before)) / length,
                          static_cast<double>(std::max<Ns>(0, after)) / length});
  }
  if (scope.tasks.empty()) return;
  scope.lead = inside.start - window.start;
  scope.trail = window.end - inside.end;
}

}  // namespace

GraphScope graph_scope(const Graph& graph, std::uint16_t device, const Scope& scope) {
  GraphScope result;
  result.device = device;
  result.window = scope.window;
  result.leaves_out_ops = scope.device_busy != nullptr;
  std::vector<bool> is_in_scope;
  for (std::size_t i = 0; i < scope.ops.size(); ++i) {
    const std::uint32_t op = scope.ops[i];
    if (op >= is_in_scope.size()) is_in_scope.resize(op + 1);
    is_in_scope[op] = true;
  }
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.device != device || task.op >= is_in_scope.size() || !is_in_scope[task.op]) continue;
    result.tasks.push_back(t);
  }
  cut_at_borders(graph, result);
  return result;
}

Interval window_of(const GraphScope& scope, const Times& times) {
  if (scope.tasks.empty()) return {};
  Interval inside{std::numeric_limits<Ns>::max(), never};
  for_intervals(scope, times, [&inside](Interval interval) { inside.extend_to(interval); });
  return {inside.start - scope.lead, inside.end + scope.trail};
}

Ns wall_of(const GraphScope& scope, const Times& times) { return window_of(scope, times).length(); }

ReplayResult replay_result(const GraphScope& scope, const Times& unchanged, const Times& blind) {
  ReplayResult result;
  result.wall_ns = wall_of(scope, unchanged);
  result.blind_wall_ns = wall_of(scope, blind);
  const auto measured = static_cast<double>(scope.window.length());
  if (measured > 0) {
    result.error = static_cast<double>(result.wall_ns) / measured - 1;
    result.blind_error = static_cast<double>(result.blind_wall_ns) / measured - 1;
  }
  return result;
}

Ns sum_of(const GraphScope& scope, const Times& times) {
  Ns sum = 0;
  for_intervals(scope, times, [&sum](Interval interval) { sum += interval.length(); });
  return sum;
}

namespace {

std::vector<Interval> intervals_of(const GraphScope& scope, const Times& times) {
  std::vector<Interval> intervals;
  intervals.reserve(scope.tasks.size());
  for_intervals(scope, times, [&](Interval interval) { intervals.push_back(interval); });
  return intervals;
}

// Returns the times in which the device runs an op. Ops outside the graph keep recorded times.
IntervalSet busy_in(const Device& device, const Graph& graph, const GraphScope& scope,
                    const Times& times) {
  std::vector<bool> is_known(device.ops.size());
  std::vector<Interval> busy;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.device != scope.device || task.op == no_index) continue;
    if (task.op < is_known.size()) is_known[task.op] = true;
    busy.push_back(times.tasks[t]);
  }
  for (std::uint32_t op = 0; op < device.ops.size(); ++op) {
    if (!is_known[op]) busy.push_back(device.ops.interval(op));
  }
  return IntervalSet::union_of(std::move(busy));
}

}  // namespace

Activity replayed_activity(const Device& device, const std::vector<bool>& communication,
                           const Graph& graph, const GraphScope& scope, const Times& times) {
  const Ops& recorded = device.ops;
  Device moved;
  moved.limits = device.limits;
  Ops& ops = moved.ops;
  ops.geometries = recorded.geometries;
  const std::vector<Interval> intervals = intervals_of(scope, times);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < intervals.size(); ++i) {
    if (graph.tasks[scope.tasks[i]].op != no_index) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return intervals[a].start < intervals[b].start;
  });
  for (const std::uint32_t i : order) {
    const Task& task = graph.tasks[scope.tasks[i]];
    ops.start.push_back(intervals[i].start);
    ops.end.push_back(intervals[i].end);
    ops.name.push_back(recorded.name[task.op]);
    ops.geometry.push_back(recorded.geometry[task.op]);
    ops.engine.push_back(task.engine);
    ops.kind.push_back(recorded.kind[task.op]);
  }
  Scope all{window_of(scope, times), OpSet::all_of(ops)};
  if (scope.leaves_out_ops) {
    all.device_busy = std::make_shared<IntervalSet>(busy_in(device, graph, scope, times));
  }
  return activity_of(Subject(moved, communication, {}), all);
}

}  // namespace lapscope::analyzer
