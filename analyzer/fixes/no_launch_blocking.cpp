#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

void apply_no_launch_blocking(const Trace&, double, Graph& graph) {
  make_quick(Cause::launch_blocking, graph.quick_call, graph);
}

}  // namespace

const Fix no_launch_blocking{Cause::launch_blocking, "launches return at once", "", false,
                             apply_no_launch_blocking};

}  // namespace lapscope::analyzer
