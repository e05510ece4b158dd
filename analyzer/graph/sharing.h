#pragma once

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// Sets the demand of each kernel to the bound that `end` selects (Demand). Recomputes the work of
// each kernel: its recorded time minus the time that it lost to other kernels beside it. Requires
// recorded or rebased times. Does nothing if the graph already has these demands.
//
//   A  AAAAAAAA    If A and B both demand the whole device, each slows the other down and has
//   B  BBBBBBBB    work for 4 ns. If they share nothing, each has work for 8 ns.
void assume(Sharing end, Graph& graph);

}  // namespace lapscope::analyzer
