#pragma once

#include "analyzer/graph/graph.h"
#include "analyzer/model/names.h"

namespace lapscope::analyzer {

// Returns the graph of all calls that started in `issued`, in any thread, and of the ops that they
// issued, on all devices. The graph also has some ops that start at their recorded start in every
// replay:
// - Ops whose call is not in the trace, if they started in `issued`.
// - Ops that were issued before `issued` began, if they had not ended when the first call of
//   `issued` began.
//
// `communication` is the result of communication_names() for the names of the trace. The graph
// needs about 280 bytes of memory for each op and its call.
Graph build_graph(const Trace& trace, Interval issued, const std::vector<bool>& communication);

// Uses the default names of communication kernels.
inline Graph build_graph(const Trace& trace, Interval issued) {
  return build_graph(trace, issued,
                     communication_names(trace.names, default_communication_patterns()));
}

}  // namespace lapscope::analyzer
