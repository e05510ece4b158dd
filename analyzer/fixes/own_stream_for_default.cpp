#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// The work of the default stream keeps its order, and waits for no other stream.
Edits own_stream_for_default_edits(const Trace&, const Graph& graph, double) {
  Edits edits(graph);
  edits.remove_edges(Cause::default_stream_barrier);
  return edits;
}

}  // namespace

const Fix own_stream_for_default{Cause::default_stream_barrier, false, true,
                                 own_stream_for_default_edits};

}  // namespace lapscope::analyzer
