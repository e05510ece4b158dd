#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Calls that load are gone; launches that loaded take what others do.
void apply_load_before(const Trace& trace, double, Graph& graph) {
  remove_edges(Cause::module_load, graph);
  make_quick(Cause::module_load, 0, graph);
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const Step& step = graph.steps[s];
    const CallKind kind = trace.calls.kind[step.call];
    const bool launches = kind == CallKind::launch || kind == CallKind::graph_launch;
    if (!launches || !step.loads) continue;
    make_quick(graph.steps.edit()[s], graph.quick_call);
    for (std::uint32_t t = 0; t < step.task_count; ++t) shorten_way(step.first_task + t, graph);
  }
}

}  // namespace

const Fix load_before{Cause::module_load, "code is loaded during set-up", "", false,
                      apply_load_before};

}  // namespace lapscope::analyzer
