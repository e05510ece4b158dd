#include "analyzer/replay/replay.h"

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
  std::vector<std::uint32_t> begin(graph.tasks.size() + 1);
  std::vector<Edge> edges;
  edges.reserve(graph.edges.size());
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    Task& task = graph.tasks[t];
    task.start = replayed.start[t];
    task.end = replayed.end[t];
    task.lasted = task.end - task.start;
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      if (!graph.edges[e].removed) edges.push_back(graph.edges[e]);
    }
    begin[t + 1] = static_cast<std::uint32_t>(edges.size());
  }
  graph.edges = std::move(edges);
  graph.edge_begin = std::move(begin);
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    graph.steps[s].start = replayed.step_start[s];
    graph.steps[s].end = replayed.step_end[s];
  }
  find_bindings(graph);
  find_lets_in_work(graph);
  return graph;
}

}  // namespace lapscope::analyzer
