#include "analyzer/analysis/replayed_activity.h"

#include <algorithm>

namespace lapscope::analyzer {

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
  const Scope all{window_of(scope, replayed), OpSet::all_of(ops)};
  return activity_of(Subject(moved, communication), all);
}

}  // namespace lapscope::analyzer
