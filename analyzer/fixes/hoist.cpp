#include "analyzer/fixes/fix.h"
#include "analyzer/fixes/recurring.h"

namespace lapscope::analyzer {
namespace {

// Lets the recurring calls of a cause take no time. If `value` is above 0, does the same with calls
// that occur only once.
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

// Without these fixes, each iteration allocates its own buffers, and waits for the whole device
// when it frees them. With these fixes, all iterations use the same buffers, and none of them
// waits. The program may rely on separate buffers or on the waits. So these fixes need a judgement.
const Fix hoist_allocation{Cause::alloc_free, true, true, hoist<Cause::alloc_free>};

const Fix hoist_pinning{Cause::host_pinning, true, true, hoist<Cause::host_pinning>};

}  // namespace lapscope::analyzer
