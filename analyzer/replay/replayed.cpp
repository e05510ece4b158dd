#include "analyzer/replay/replay.h"

#include <algorithm>

#include "analyzer/graph/building.h"
#include "analyzer/graph/sharing.h"

namespace lapscope::analyzer {

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

Graph rebased(Graph graph, const Replayed& replayed) {
  std::vector<Task>& tasks = graph.tasks.edit();
  for (std::uint32_t t = 0; t < tasks.size(); ++t) {
    Task& task = tasks[t];
    task.start = replayed.start[t];
    task.end = replayed.end[t];
    task.lasted = task.end - task.start;
  }
  std::vector<Step>& steps = graph.steps.edit();
  for (std::uint32_t s = 0; s < steps.size(); ++s) {
    steps[s].start = replayed.step_start[s];
    steps[s].end = replayed.step_end[s];
  }
  find_bindings(graph);
  find_lets_in_work(graph);
  return graph;
}

}  // namespace lapscope::analyzer
