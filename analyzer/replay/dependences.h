#pragma once

#include "analyzer/graph/graph.h"
#include "analyzer/machine/machine.h"
#include "analyzer/machine/simulate.h"
#include "analyzer/replay/delays.h"

namespace lapscope::analyzer {

// Returns what each task and each step (call) waits for, and which resource it needs.
Dependences dependences_of(const Graph& graph, const Machine& machine, const LateBegin& late_begin);

}  // namespace lapscope::analyzer
