#pragma once

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// Builds the graph of what was issued by calls that started in `issued`, on all devices and
// threads. Ops whose call is not in the trace are there when they started in it; they start when
// they did, whatever changes around them.
//
// Takes about 200 bytes for an op with its call.
Graph build_graph(const Trace& trace, Interval issued);

}  // namespace lapscope::analyzer
