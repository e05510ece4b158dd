#include "analyzer/fixes/fix.h"
#include "analyzer/fixes/recurring.h"

namespace lapscope::analyzer {
namespace {

// Lets recurring calls of a cause take no time. If `value` is above 0, also the other calls of this
// cause take no time.
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

// With these fixes, all iterations use the same buffers, and no iteration waits for the device to
// free them. The program may rely on separate buffers or on these waits. So the fixes need a
// judgement.
const Fix hoist_allocation{Cause::alloc_free, true, true, hoist<Cause::alloc_free>};

const Fix hoist_pinning{Cause::host_pinning, true, true, hoist<Cause::host_pinning>};

}  // namespace lapscope::analyzer
