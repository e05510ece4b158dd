#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Blocking copies become asynchronous ones.
void apply(const Trace&, double, Graph& graph) {
  for (Step& step : graph.steps) {
    if (step.cause == Cause::host_sync && step.wait_count > 0) make_quick(step, quick_call);
  }
}

}  // namespace

const Fix drop_syncs{Cause::host_sync, "the host does not wait for the device between its calls", "",
             true, apply};

}  // namespace lapscope::analyzer
