#include "analyzer/analysis/replayed_activity.h"

#include <algorithm>

namespace lapscope::analyzer {

namespace {

// When the device runs anything in a replay. What the graph does not hold stays where it was.
IntervalSet busy_in(const Device& device, const Graph& graph, const GraphScope& scope,
                    const Replayed& replayed) {
  std::vector<bool> is_replayed(device.ops.size());
  std::vector<Interval> busy;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.device != scope.device || task.op == no_index) continue;
    if (task.op < is_replayed.size()) is_replayed[task.op] = true;
    busy.push_back({replayed.start[t], replayed.end[t]});
  }
  for (std::uint32_t op = 0; op < device.ops.size(); ++op) {
    if (!is_replayed[op]) busy.push_back(device.ops.interval(op));
  }
  return IntervalSet::union_of(std::move(busy));
}

}  // namespace

Activity replayed_activity(const Device& device, const std::vector<bool>& communication,
                           const Graph& graph, const GraphScope& scope, const Replayed& replayed) {
  const Ops& recorded = device.ops;
  Device moved;
  moved.limits = device.limits;
  Ops& ops = moved.ops;
  ops.geometries = recorded.geometries;
  const std::vector<Interval> intervals = intervals_of(scope, replayed);
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
  Scope all{window_of(scope, replayed), OpSet::all_of(ops)};
  if (scope.leaves_out_ops) {
    all.device_busy = std::make_shared<IntervalSet>(busy_in(device, graph, scope, replayed));
  }
  return activity_of(Subject(moved, communication), all);
}

Replayed recorded_times(const Graph& graph) {
  Replayed times;
  for (const Task& task : graph.tasks) {
    times.start.push_back(task.start);
    times.end.push_back(task.end);
  }
  for (const Step& step : graph.steps) {
    times.step_start.push_back(step.start);
    times.step_end.push_back(step.end);
  }
  return times;
}

}  // namespace lapscope::analyzer
