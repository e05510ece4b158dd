#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// All nodes of a graph launch start as its first ones do.
void apply(const Trace&, double, Graph& graph) {
  std::vector<NewEdge> added;
  for (const Step& step : graph.steps) {
    if (!step.is_graph_launch || step.task_count == 0) continue;
    const std::uint32_t first = step.first_task;
    for (std::uint32_t t = first + 1; t < first + step.task_count; ++t) {
      bool had_edge = false;
      for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
        had_edge |= graph.edges[e].cause == Cause::graph_edge;
      }
      if (!had_edge) continue;
      for (std::uint32_t e = graph.edge_begin[first]; e < graph.edge_begin[first + 1]; ++e) {
        added.push_back({t, graph.edges[e]});
      }
    }
  }
  add_edges(std::move(added), graph);
  remove_edges(Cause::graph_edge, graph);
}

// Order within a graph costs what could run side by side. Of kernels so short that a launch costs
// as much, nothing is gained.
bool is_plausible(const Trace&, const Graph& graph) {
  constexpr std::int64_t least_mean = 10'000;  // ns
  std::int64_t time = 0;
  std::int64_t tasks = 0;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (graph.bindings[t].cause != Cause::graph_edge) continue;
    time += graph.tasks[t].end - graph.tasks[t].start;
    ++tasks;
  }
  return tasks > 0 && time / tasks >= least_mean;
}

}  // namespace

const Fix fork_graphs{
    Cause::graph_edge, "nodes of a graph depend on nothing within it", "", true, apply,
    is_plausible};

}  // namespace lapscope::analyzer
