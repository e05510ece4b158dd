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

}  // namespace

const Fix fork_graphs{Cause::graph_edge, "nodes of a graph depend on nothing within it", "", true,
                      apply};

}  // namespace lapscope::analyzer
