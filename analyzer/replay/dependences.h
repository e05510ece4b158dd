#pragma once

#include "analyzer/graph/graph.h"
#include "analyzer/machine/machine.h"
#include "analyzer/machine/simulate.h"
#include "analyzer/replay/delays.h"

namespace lapscope::analyzer {

// The dependences of the tasks of a graph, and of its steps as calls: what each waits for and
// needs.
Dependences dependences_of(const Graph& graph, const Machine& machine, const LateBegin& late_begin);

}  // namespace lapscope::analyzer
