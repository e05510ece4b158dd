#include "analyzer/fixes/fix.h"
#include "analyzer/fixes/recurring.h"

namespace lapscope::analyzer {
namespace {

// Lets recurring calls of a cause take no time; if `value` is above 0, also calls that occur once.
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

// With these fixes, all iterations use the same buffers, and none waits for the device to free
// them. The program may rely on separate buffers or on the waits, so the fixes need a judgement.
const Fix hoist_allocation{Cause::alloc_free, true, true, hoist<Cause::alloc_free>};

const Fix hoist_pinning{Cause::host_pinning, true, true, hoist<Cause::host_pinning>};

}  // namespace lapscope::analyzer
