#include <algorithm>

#include "analyzer/fixes/fix.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
namespace {

// `op` waits for the host function ahead of it. If the function took no time, a wait with another
// cause would remain. Returns this cause. It is graph_edge if the function and `op` belong to the
// same graph launch, and stream_order if not.
Cause order_of(const Graph& graph, std::uint32_t function, std::uint32_t op) {
  const Task& task = graph.tasks[op];
  const bool is_within = is_graph_node(graph, task) && graph.tasks[function].step == task.step;
  return is_within ? Cause::graph_edge : Cause::stream_order;
}

// Sets the duration of host functions to 0, and removes their waits for each other. An op behind a
// host function then waits only for the ops ahead of the function.
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
    const Ns usual = graph.latencies.of(binding.cause, graph.tasks[t].engine).typical;
    binding.lag = std::min(binding.lag, usual);
  }
  return edits;
}

}  // namespace

const Fix host_functions_elsewhere{Cause::host_func, false, true, host_functions_elsewhere_edits};

}  // namespace lapscope::analyzer
