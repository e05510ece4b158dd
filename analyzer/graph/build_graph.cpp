#include "analyzer/graph/build_graph.h"

#include "analyzer/graph/building.h"

namespace lapscope::analyzer {

Graph build_graph(const Trace& trace, Interval issued, const std::vector<bool>& communication) {
  Graph graph;
  collect_streams(trace, graph);
  collect_steps(trace, issued, graph);
  collect_tasks(trace, issued, communication, graph);
  collect_constraints(trace, graph);
  measure_engines(trace, graph);
  collect_collectives(trace, graph);
  find_bindings(graph);
  return graph;
}

}  // namespace lapscope::analyzer
