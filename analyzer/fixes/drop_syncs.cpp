#include <deque>

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

// Moves each wait for the device to a later waiting call of its thread. For by = 1, this is the
// next waiting call. The first call waits for nothing, and the last wait is dropped:
//
//   before   a[sync A]b[sync B]c[sync C]
//   by = 1   ab[sync A]c[sync B]
//
// `by` is the number of buffers that the program gets in addition. The program waits for the work
// on a buffer only before it reuses the buffer. `by` must be above 0.
void defer_syncs(std::uint32_t by, Edits& edits) {
  const Graph& graph = edits.program();
  for (const ThreadSteps& thread : graph.threads) {
    std::deque<Waits> open;  // waits that are still to be done, oldest first
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      if (!waits_for_device(graph.steps[s])) continue;
      open.push_back({graph.steps[s].first_wait, graph.steps[s].wait_count});
      edits.make_quick(s, graph.quick_call);
      if (open.size() <= by) continue;
      Step& step = edits.steps.edit(s);
      step.first_wait = open.front().first;
      step.wait_count = open.front().count;
      open.pop_front();
    }
  }
}

// Lets calls return without a wait for the device. If `value` is above 0, the waits are moved to
// later calls (defer_syncs()). Blocking copies become asynchronous copies in a stream other than
// the default stream.
Edits drop_syncs_edits(const Trace& trace, const Graph& graph, double value) {
  Edits edits(graph);
  std::vector<bool> is_freed(graph.tasks.size());
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const Step& step = graph.steps[s];
    if (!waits_for_device(step)) continue;
    if (value == 0) edits.make_quick(s, graph.quick_call);
    if (trace.calls.kind[step.call] != CallKind::copy_blocking) continue;
    for (std::uint32_t t = step.first_task; t < step.first_task + step.task_count; ++t) {
      is_freed[t] = true;
    }
  }
  if (value > 0) defer_syncs(static_cast<std::uint32_t>(value), edits);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      if (edge.cause != Cause::default_stream_barrier) continue;
      if (is_freed[t] || is_freed[edge.from]) edits.remove_edge(e);
    }
  }
  return edits;
}

}  // namespace

const Fix drop_syncs{Cause::host_sync, true, true, drop_syncs_edits};

}  // namespace lapscope::analyzer
