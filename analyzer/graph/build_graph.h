#pragma once

#include "analyzer/graph/graph.h"
#include "analyzer/model/names.h"

namespace lapscope::analyzer {

// Builds the graph of what was issued by calls that started in `issued`, on all devices and
// threads. Ops whose call is not in the trace are there when they started in it, and ops that had
// been issued before when they had not ended as the first call was made. Both start when they did,
// whatever changes around them.
//
// `communication` by index in the trace's names: see communication_names().
//
// Takes about 280 bytes for an op with its call.
Graph build_graph(const Trace& trace, Interval issued, const std::vector<bool>& communication);

// Uses the usual names of kernels that communicate.
inline Graph build_graph(const Trace& trace, Interval issued) {
  return build_graph(trace, issued,
                     communication_names(trace.names, default_communication_patterns()));
}

}  // namespace lapscope::analyzer
