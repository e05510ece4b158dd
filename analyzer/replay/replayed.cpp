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

namespace {

// The edges that no fix has taken away.
void leave_removed_out(Graph& graph) {
  const auto is_removed = [](const Edge& edge) { return edge.removed; };
  if (std::none_of(graph.edges.begin(), graph.edges.end(), is_removed)) return;
  std::vector<std::uint32_t> begin(graph.tasks.size() + 1);
  std::vector<Edge> edges;
  edges.reserve(graph.edges.size());
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      if (!graph.edges[e].removed) edges.push_back(graph.edges[e]);
    }
    begin[t + 1] = static_cast<std::uint32_t>(edges.size());
  }
  graph.edges = std::move(edges);
  graph.edge_begin = std::move(begin);
}

}  // namespace

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
  leave_removed_out(graph);
  find_bindings(graph);
  find_lets_in_work(graph);
  return graph;
}

}  // namespace lapscope::analyzer
