#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Removes the waits of a thread for another thread that does the same work: perhaps only a lock
// prevents the threads from working at the same time. A wait lies between two calls of the thread.
// Without the wait, the thread is assumed to work between these calls as long as it worked after
// the wait.
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
