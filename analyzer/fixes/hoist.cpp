#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Calls of a loop. With a value those that are made once, too.
template <Cause cause>
void apply_hoist(const Trace& trace, double value, Graph& graph) {
  hoist(cause, value > 0, trace, graph);
}

}  // namespace

// Buffers that are shared by all iterations, and no wait for the whole device when they are given
// back: the program may rely on either.
const Fix hoist_allocation{
    Cause::alloc_free, "device memory is allocated before and released after the loop",
    "1 to include calls that are made once", true, apply_hoist<Cause::alloc_free>};

const Fix hoist_pinning{
    Cause::host_pinning, "page-locked memory is allocated before and released after the loop",
    "1 to include calls that are made once", true, apply_hoist<Cause::host_pinning>};

}  // namespace lapscope::analyzer
