#include <algorithm>

#include "analyzer/fixes/fix.h"
#include "analyzer/fixes/recurring.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
namespace {

// Shortens each thread's recurring host work, between two calls or in a call, to the length of a
// quick call. If `value` is above 0, also shortens work that does not recur, such as reading a file
// once.
Edits host_work_elsewhere_edits(const Trace& trace, const Graph& graph, double value) {
  Edits edits(graph);
  const Recurring recurring(trace, graph);
  for (const ThreadSteps& thread : graph.threads) {
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      const Step& step = graph.steps[s];
      const bool is_elsewhere = s != thread.first && (value > 0 || recurring.gap(s));
      for (Ns Step::*own : {&Step::gap, &Step::after_gap}) {
        if (own == &Step::after_gap && !step.waits_for_turn()) continue;
        if (is_elsewhere && step.*own > graph.quick_call) {
          edits.steps.edit(s).*own = graph.quick_call;
        }
      }
      if (mended_with(step.cause) == Cause::host_compute && (value > 0 || recurring.call(s))) {
        edits.make_quick(s, graph.quick_call);
      }
    }
  }
  return edits;
}

}  // namespace

const Fix host_work_elsewhere{Cause::host_compute, true, true, host_work_elsewhere_edits};

}  // namespace lapscope::analyzer
