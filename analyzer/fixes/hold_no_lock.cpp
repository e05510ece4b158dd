#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Removes the waits of a thread for another thread that does the same work. Perhaps only a lock
// prevents the two threads from working at the same time. A wait lies between two calls of the
// waiting thread. In the recording, this thread works from the end of the wait to the second call.
// After the fix, the time between the two calls is only the time of this work.
//
//   thread 1  a.sss..........a.sss..      thread 1  a.sss.a.sss..
//   thread 2  ........a.sss..........  →  thread 2  .a.sss..........
Edits hold_no_lock_edits(const Trace&, const Graph& graph, double) {
  Edits edits(graph);
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const Step& step = graph.steps[s];
    if (step.after == no_index || step.after_kind != After::lock) continue;
    Step& changed = edits.steps.edit(s);
    changed.gap = step.after_gap;
    changed.after = no_index;
    changed.after_gap = 0;
  }
  return edits;
}

}  // namespace

const Fix hold_no_lock{Cause::lock, false, true, hold_no_lock_edits};

}  // namespace lapscope::analyzer
