#pragma once

#include "analyzer/findings/graph_scope.h"
#include "analyzer/measures/activity.h"

namespace lapscope::analyzer {

// The activity of a scope in a replay of a graph, on the engines that the graph has its tasks on:
// what measures of a predicted run are taken from. Of the times of the trace itself, and a graph
// that was not changed, it is that of the scope as it was recorded.
//
// Shapes of kernels are the recorded ones, also where a fix gave them fewer blocks.
Activity replayed_activity(const Device& device, const std::vector<bool>& communication,
                           const Graph& graph, const GraphScope& scope, const Replayed& replayed);

}  // namespace lapscope::analyzer
