#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

Edits no_launch_blocking_edits(const Trace&, const Graph& graph, double) {
  Edits edits(graph);
  edits.make_quick(Cause::launch_blocking, graph.quick_call);
  return edits;
}

}  // namespace

const Fix no_launch_blocking{Cause::launch_blocking, false, false, no_launch_blocking_edits};

}  // namespace lapscope::analyzer
