#pragma once

#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Returns when each communication kernel in a scope was issued and had its data, in the recorded
// run. A kernel waits for ops by the order of its stream and by events. Its data is ready when the
// last of these ops has ended. Communication kernels are left out, because a stream runs them one
// after another even if they share no data. A kernel that waits only for communication kernels has
// its data when the last of them starts.
//
//   compute stream  [A    ][B    ]              y is ready when B ends:
//   comm stream            [x           ][y   ] y starts later only because x has not ended
//
// Returns nothing for a kernel that waits for no op and has no recorded call. Also returns nothing
// for a kernel that waits for a communication kernel of another stream: such a wait may be shorter
// in another run.
std::vector<KernelInputs> inputs_of_communication(const Graph& graph, const GraphScope& scope);

}  // namespace lapscope::analyzer
