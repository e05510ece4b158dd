#pragma once

#include "analyzer/graph/graph.h"
#include "analyzer/machine/machine.h"
#include "analyzer/machine/simulate.h"
#include "analyzer/replay/late_begin.h"

namespace lapscope::analyzer {

// What a graph runs: its tasks, and its steps as calls, with what each waits for and needs.
Program program_of(const Graph& graph, const Machine& machine, const LateBegin& late_begin);

}  // namespace lapscope::analyzer
