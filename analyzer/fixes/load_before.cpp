#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Calls that load are gone; launches that loaded take what others do.
void apply_load_before(const Trace& trace, double, Graph& graph) {
  remove_edges(Cause::module_load, graph);
  make_quick(Cause::module_load, 0, graph);
  for (Step& step : graph.steps) {
    const CallKind kind = trace.calls.kind[step.call];
    const bool launches = kind == CallKind::launch || kind == CallKind::graph_launch;
    if (!launches || !step.loads) continue;
    make_quick(step, graph.quick_call);
    for (std::uint32_t t = step.first_task; t < step.first_task + step.task_count; ++t) {
      Binding& binding = graph.bindings[t];
      if (binding.from == no_index) binding.lag = std::min(binding.lag, graph.quick_call);
    }
  }
}

}  // namespace

const Fix load_before{Cause::module_load, "code is loaded during set-up", "", false,
                      apply_load_before};

}  // namespace lapscope::analyzer
