#include <map>
#include <vector>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

bool is_function(const Graph& graph, std::uint32_t task) {
  return graph.tasks[task].kind == TaskKind::host_function;
}

// What follows a host function waits for what the function waits for, instead of for the function;
// which waits for no other one any more.
void apply(const Trace&, double, Graph& graph) {
  std::map<std::uint32_t, std::vector<Edge>> before;  // of functions: the ops that they follow
  std::vector<NewEdge> added;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      Edge& edge = graph.edges[e];
      if (edge.removed) continue;
      const bool of_function = is_function(graph, t);
      if (!is_function(graph, edge.from)) {
        if (of_function) before[t].push_back(edge);
        continue;
      }
      edge.removed = true;
      const bool same_stream = graph.tasks[edge.from].stream == graph.tasks[t].stream;
      if (of_function && !same_stream) continue;  // they shared the driver's thread, no more
      for (const Edge& one : before[edge.from]) {
        if (of_function) before[t].push_back(one);
        const Cause cause = edge.cause == Cause::host_func ? one.cause : edge.cause;
        added.push_back({t, {one.from, cause, one.from_start, false}});
      }
    }
  }
  add_edges(std::move(added), graph);
}

}  // namespace

const Fix host_functions_elsewhere{Cause::host_func,
                                   "no op waits for a host function: other threads do its work", "",
                                   true, apply};

}  // namespace lapscope::analyzer
