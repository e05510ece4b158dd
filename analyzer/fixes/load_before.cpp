#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// After the fix, a call that only loads code takes no time. A launch that loaded code takes as long
// as a quick call.
Edits load_before_edits(const Trace& trace, const Graph& graph, double) {
  Edits edits(graph);
  edits.remove_edges(Cause::module_load);
  edits.make_quick(Cause::module_load, 0);
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const Step& step = graph.steps[s];
    const CallKind kind = trace.calls.kind[step.call];
    const bool launches = kind == CallKind::launch || kind == CallKind::graph_launch;
    if (!launches || !step.loads) continue;
    edits.make_quick(s, graph.quick_call);
    for (std::uint32_t t = 0; t < step.task_count; ++t) edits.shorten_way(step.first_task + t);
  }
  return edits;
}

}  // namespace

const Fix load_before{Cause::module_load, false, false, load_before_edits};

}  // namespace lapscope::analyzer
