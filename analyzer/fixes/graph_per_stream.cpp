#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

Edits graph_per_stream_edits(const Trace&, const Graph& graph, double) {
  Edits edits(graph);
  edits.remove_edges(Cause::graph_exec_reuse);
  return edits;
}

}  // namespace

// The nodes of one executable graph use the same memory at each launch, unless the program sets
// their parameters in between: no trace shows this.
const Fix graph_per_stream{Cause::graph_exec_reuse, false, true, graph_per_stream_edits};

}  // namespace lapscope::analyzer
