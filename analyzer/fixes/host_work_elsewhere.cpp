#include <algorithm>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Between its calls a thread does nothing for longer than a call takes.
void apply(const Trace&, double, Graph& graph) {
  constexpr std::int64_t short_gap = 2'000;  // ns
  for (const ThreadSteps& thread : graph.threads) {
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      Step& step = graph.steps[s];
      if (s != thread.first) step.gap = std::min(step.gap, short_gap);
      if (step.cause == Cause::host_compute) make_quick(step, short_gap);
    }
  }
}

}  // namespace

const Fix host_work_elsewhere{Cause::host_compute,
                              "work between the calls is done by another thread", "", true, apply};

}  // namespace lapscope::analyzer
