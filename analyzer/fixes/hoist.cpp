#include "analyzer/fixes/fix.h"
#include "analyzer/fixes/recurring.h"

namespace lapscope::analyzer {
namespace {

// Calls of a loop. With a value those that are made once, too.
template <Cause cause>
Edits hoist(const Trace& trace, const Graph& graph, double value) {
  Edits edits(graph);
  const Recurring recurring(trace, graph);
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    if (graph.steps[s].cause == cause && (value > 0 || recurring.call(s))) edits.make_quick(s, 0);
  }
  return edits;
}

}  // namespace

// Buffers that are shared by all iterations, and no wait for the whole device when they are given
// back: the program may rely on either.
const Fix hoist_allocation{Cause::alloc_free, true, true, hoist<Cause::alloc_free>};

const Fix hoist_pinning{Cause::host_pinning, true, true, hoist<Cause::host_pinning>};

}  // namespace lapscope::analyzer
