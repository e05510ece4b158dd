#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

Edits graph_per_stream_edits(const Trace&, const Graph& graph, double) {
  Edits edits(graph);
  edits.remove_edges(Cause::graph_exec_reuse);
  return edits;
}

}  // namespace

// All launches of one executable graph use the same memory, unless the program sets the parameters
// of the nodes between launches. No trace shows whether the program does so. The fix therefore
// needs a judgement.
const Fix graph_per_stream{Cause::graph_exec_reuse, false, true, graph_per_stream_edits};

}  // namespace lapscope::analyzer
