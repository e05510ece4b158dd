#pragma once

#include <span>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Returns, for each communication kernel K of a scope, the earliest time at which K could have run.
// At this time, K was issued, and the data of K was ready. This is decided by the ops that K waits
// for (stream order, events). If some of them do not communicate, the data is ready when the last
// of these has ended. If all of them communicate, the data is ready when the last of them starts.
// The ends of communication kernels do not count, because a stream runs communication kernels one
// after another even if they share no data.
//
//   compute stream  [A    ][B    ]              y is ready when B ends:
//   comm stream            [x           ][y   ] y starts later only because x has not ended
//
// Leaves out a kernel that waits for no op and has no recorded call. Also leaves out a kernel that
// waits for communication of another stream, because this wait may be shorter in another run.
// `charges`: the time that recording added to each step, or none if this is not known.
std::vector<KernelInputs> inputs_of_communication(const Graph& graph, const GraphScope& scope,
                                                  std::span<const Charge> charges);

}  // namespace lapscope::analyzer
