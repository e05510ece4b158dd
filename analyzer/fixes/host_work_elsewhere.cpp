#include <algorithm>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/fixes/recurring.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Between its calls a thread does nothing for longer than a call takes. With a value that is so of
// what it does once, too: to read a file before a phase of the program, say.
void apply_host_work_elsewhere(const Trace& trace, double value, Graph& graph) {
  const Recurring recurring(trace, graph);
  for (const ThreadSteps& thread : graph.threads) {
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      const Step& step = graph.steps[s];
      const bool is_elsewhere = s != thread.first && (value > 0 || recurring.gap(s));
      for (std::int64_t Step::*own : {&Step::gap, &Step::after_gap}) {
        if (own == &Step::after_gap && !step.waits_for_turn()) continue;
        if (is_elsewhere && step.*own > assumed::gap_between_calls) {
          graph.steps.edit()[s].*own = assumed::gap_between_calls;
        }
      }
      if (mended_with(step.cause) == Cause::host_compute && (value > 0 || recurring.call(s))) {
        make_quick(graph.steps.edit()[s], assumed::gap_between_calls);
      }
    }
  }
}

}  // namespace

const Fix host_work_elsewhere{
    Cause::host_compute, "another thread does the CPU work between the calls",
    "1 to include work that is done once", true, apply_host_work_elsewhere};

}  // namespace lapscope::analyzer
