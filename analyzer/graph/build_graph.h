#pragma once

#include "analyzer/graph/graph.h"
#include "analyzer/model/names.h"

namespace lapscope::analyzer {

// Returns the graph of the calls that started in `issued`, of all threads. The graph contains all
// ops that these calls issued, on all devices. It also contains two kinds of other ops:
//  - Ops whose call is not in the trace, if they started in `issued`.
//  - Ops issued earlier, if they had not ended when the first call of `issued` began.
// A replay starts these other ops at their recorded start, whatever a fix changes.
//
// `communication` is indexed like Trace::names. communication_names() returns it.
//
// Needs about 280 bytes of memory for each op with its call.
Graph build_graph(const Trace& trace, Interval issued, const std::vector<bool>& communication);

// Returns the same graph, with the default names of communication kernels.
inline Graph build_graph(const Trace& trace, Interval issued) {
  return build_graph(trace, issued,
                     communication_names(trace.names, default_communication_patterns()));
}

}  // namespace lapscope::analyzer
