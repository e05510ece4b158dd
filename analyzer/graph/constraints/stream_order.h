#pragma once

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {

// Whether a graph launch issued the task.
inline bool is_of_graph(const Graph& graph, std::uint32_t task) {
  const std::uint32_t step = graph.tasks[task].step;
  return step != no_index && graph.steps[step].is_graph_launch;
}

// The task waits for what is before it in its stream.
void add_stream_order(const Walk& walk, std::uint32_t task, EdgeList& edges);

}  // namespace lapscope::analyzer
