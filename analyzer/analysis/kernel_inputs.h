#pragma once

#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Returns, for each communication kernel K of a scope, the earliest time at which K could have run:
// K was issued, and the data of K was ready. K waits for ops (stream order, events):
// - If K waits for any op that does not communicate, the data is ready at the last end of such an
//   op.
// - If K waits only for communication kernels, the data is ready at the last start of these
//   kernels. Their ends do not count, because a stream runs communication kernels one after another
//   even if they share no data.
//
//   compute stream  [A    ][B    ]
//   comm stream            [x           ][y   ]
//
// In the drawing, y waits for B and x. The data of y is ready when B ends. y starts later only
// because x has not ended.
//
// Leaves out a kernel that waits for no op and has no recorded call. Also leaves out a kernel that
// waits for communication of another stream, because this wait may be shorter in another run.
// `program` is the recorded one. Without Sources::charges, KernelInputs::recorder is 0.
std::vector<KernelInputs> inputs_of_communication(const Sources& program, const GraphScope& scope);

}  // namespace lapscope::analyzer
