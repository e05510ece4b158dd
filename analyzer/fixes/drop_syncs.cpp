#include <deque>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

struct Waits {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

bool waits_for_device(const Step& step) {
  return step.cause == Cause::host_sync && step.wait_count > 0;
}

// Each call that waits for the device waits for what the call `by` waits before it, of the same
// thread, waited for: as a program does that has `by` more buffers and looks at each when it needs
// it again. The first `by` waits of a thread wait for nothing, and what the last ones waited for is
// not waited for in the stretch that the graph is of. Requires by > 0.
//
//   thread   a[sync A]b[sync B]c[sync C]     by 1: ab[sync A]c[sync B]
void defer_syncs(std::uint32_t by, Graph& graph) {
  for (const ThreadSteps& thread : graph.threads) {
    std::deque<Waits> open;  // of calls whose own turn has come, and which are to be waited for
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      if (!waits_for_device(graph.steps[s])) continue;
      Step& step = graph.steps.edit()[s];
      open.push_back({step.first_wait, step.wait_count});
      make_quick(step, graph.quick_call);
      if (open.size() <= by) continue;
      step.first_wait = open.front().first;
      step.wait_count = open.front().count;
      open.pop_front();
    }
  }
}

// What the thread did before it waited is not known: no more than what it does afterwards.
void go_on_without_value(std::uint32_t s, Graph& graph) {
  Step& step = graph.steps.edit()[s];
  step.gap = step.after_gap;
  step.after_gap = 0;
  step.after_task = no_index;
}

// Blocking copies become asynchronous ones, which run in a stream of their own choice instead of
// the default stream.
void apply_drop_syncs(const Trace& trace, double value, Graph& graph) {
  std::vector<bool> is_freed(graph.tasks.size());
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    if (graph.steps[s].after_task != no_index && value == 0) go_on_without_value(s, graph);
    if (!waits_for_device(graph.steps[s])) continue;
    if (value == 0) make_quick(graph.steps.edit()[s], graph.quick_call);
    const Step& step = graph.steps[s];
    if (trace.calls.kind[step.call] != CallKind::copy_blocking) continue;
    for (std::uint32_t t = step.first_task; t < step.first_task + step.task_count; ++t) {
      is_freed[t] = true;
    }
  }
  if (value > 0) defer_syncs(static_cast<std::uint32_t>(value), graph);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      if (edge.cause != Cause::default_stream_barrier) continue;
      if (is_freed[t] || is_freed[edge.from]) graph.edges.edit()[e].removed = true;
    }
  }
}

}  // namespace

const Fix drop_syncs{Cause::host_sync, "the host does not wait for the device between its calls",
                     "instead, each wait is for what the N-th wait before it waited for", true,
                     apply_drop_syncs};

}  // namespace lapscope::analyzer
