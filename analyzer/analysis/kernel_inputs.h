#pragma once

#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Returns, for each communication kernel of a scope, the earliest time at which it could run. At
// this time, the kernel was issued, and its data was ready. A kernel waits for other ops (stream
// order, events). Its data is ready when these ops have ended. Other communication kernels do not
// count among these ops: a stream runs communication kernels one after another even if they share
// no data. If a kernel waits only for communication kernels, its data is ready when the last of
// them starts.
//
//   compute stream  [A    ][B    ]              y is ready when B ends:
//   comm stream            [x           ][y   ] y starts later only because x has not ended
//
// Leaves out a kernel that waits for no op and has no recorded call. Also leaves out a kernel that
// waits for communication of another stream, because this wait may be shorter in another run.
std::vector<KernelInputs> inputs_of_communication(const Graph& graph, const GraphScope& scope);

}  // namespace lapscope::analyzer
