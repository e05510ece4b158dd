#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Calls of a loop. With a value those that are made once, too.
void apply_hoist_pinning(const Trace& trace, double value, Graph& graph) {
  hoist(Cause::host_pinning, value > 0, trace, graph);
}

}  // namespace

// Buffers that are shared by all iterations, and no wait for the whole device when they are given
// back: the program may rely on either.
const Fix hoist_pinning{Cause::host_pinning,
                        "page-locked memory is allocated before and released after the loop",
                        "1 for calls that are made once, too", true, apply_hoist_pinning};

}  // namespace lapscope::analyzer
