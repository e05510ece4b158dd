#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

template <Cause cause>
Edits without_edges(const Trace&, const Graph& graph, double) {
  Edits edits(graph);
  edits.remove_edges(cause);
  return edits;
}

Edits no_launch_blocking_edits(const Trace&, const Graph& graph, double) {
  Edits edits(graph);
  edits.make_quick(Cause::launch_blocking, graph.quick_call);
  return edits;
}

}  // namespace

// All launches of one executable graph use the same memory, unless the program sets the parameters
// of nodes between launches. No trace shows whether it does. So the fix needs a judgement.
const Fix graph_per_stream{Cause::graph_exec_reuse, false, true,
                           without_edges<Cause::graph_exec_reuse>};

// With this fix, the work of the default stream keeps its order, and waits for no other stream.
const Fix own_stream_for_default{Cause::default_stream_barrier, false, true,
                                 without_edges<Cause::default_stream_barrier>};

const Fix no_launch_blocking{Cause::launch_blocking, false, false, no_launch_blocking_edits};

}  // namespace lapscope::analyzer
