#include "analyzer/graph/build_graph.h"

#include <map>

#include "analyzer/graph/building.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// Graph::streams, with those that have no tasks in the stretch.
void collect_streams(const Trace& trace, Graph& graph) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> known;
  for (const Device& device : trace.devices) {
    for (const Stream& stream : device.streams) {
      if (!known.try_emplace({stream.pid, stream.id}, true).second) continue;
      graph.streams.push_back({stream.pid, stream.id, stream.context, stream.kind,
                               rule::priorities ? stream.priority.value_or(0) : 0});
    }
  }
}

}  // namespace

Graph build_graph(const Trace& trace, Interval issued, const std::vector<bool>& communication,
                  const StandInValues& stand_in_values) {
  Graph graph;
  graph.stand_in_values = stand_in_values;
  collect_streams(trace, graph);
  collect_steps(trace, issued, graph);
  collect_tasks(trace, issued, communication, graph);
  collect_constraints(trace, graph);
  collect_turns(trace, graph);
  measure_engines(trace, graph);
  collect_collectives(trace, graph);
  find_bindings(graph);
  find_demands(trace, communication, graph);
  return graph;
}

}  // namespace lapscope::analyzer
