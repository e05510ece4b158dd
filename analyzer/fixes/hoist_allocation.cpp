#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Calls of a loop. With a value those that are made once, too.
void apply_hoist_allocation(const Trace& trace, double value, Graph& graph) {
  hoist(Cause::alloc_free, value > 0, trace, graph);
}

}  // namespace

// Buffers that are shared by all iterations, and no wait for the whole device when they are given
// back: the program may rely on either.
const Fix hoist_allocation{Cause::alloc_free,
                           "device memory is allocated before and released after the loop",
                           "1 for calls that are made once, too", true, apply_hoist_allocation};

}  // namespace lapscope::analyzer
