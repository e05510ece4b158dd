#include <algorithm>

#include "analyzer/fixes/fix.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
namespace {

// If the host function ahead of `op` takes no time, `op` still waits for the ops ahead of the
// function. Returns the cause of this wait: graph_edge if `op` and the function belong to one graph
// launch, and stream_order otherwise.
Cause order_of(const Graph& graph, std::uint32_t function, std::uint32_t op) {
  const Task& task = graph.tasks[op];
  const bool is_within = is_graph_node(graph, task) && graph.tasks[function].step == task.step;
  return is_within ? Cause::graph_edge : Cause::stream_order;
}

// Lets host functions take no time and not wait for each other. An op behind a host function waits
// only for the ops ahead of this function.
Edits host_functions_elsewhere_edits(const Trace&, const Graph& graph, double) {
  Edits edits(graph);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (graph.tasks[t].is_host_function()) edits.lengths.edit(t).work = 0;
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      if (graph.edges[e].cause != Cause::host_func) continue;
      Edge& edge = edits.edges.edit(e);
      if (graph.tasks[t].is_host_function()) {
        edge.removed = true;
      } else {
        edge.cause = order_of(graph, edge.from, t);
      }
    }
    if (graph.bindings[t].cause != Cause::host_func || graph.bindings[t].from == no_index) continue;
    Binding& binding = edits.bindings.edit(t);
    binding.cause = order_of(graph, binding.from, t);
    const Ns usual = graph.latencies.of(binding.cause, graph.tasks[t].engine);
    binding.lag = std::min(binding.lag, usual);
  }
  return edits;
}

}  // namespace

const Fix host_functions_elsewhere{Cause::host_func, false, true, host_functions_elsewhere_edits};

}  // namespace lapscope::analyzer
