#include <utility>
#include <vector>

#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

template <Cause cause>
Edits without_edges(const Trace&, const Graph& graph, double) {
  Edits edits(graph);
  edits.remove_edges(cause);
  return edits;
}

// Whether `from` is a copy that probably brings data for the kernel `to`, or `to` is a copy that
// probably fetches the results of the kernel `from`.
bool is_copy_of_its_data(const Task& from, const Task& to) {
  return (from.engine == Engine::h2d && to.engine == Engine::compute) ||
         (from.engine == Engine::compute && to.engine == Engine::d2h);
}

// Removes the barriers of the default stream. Keeps a barrier between a kernel and a copy if two
// conditions hold: it is a copy of the kernel's data (is_copy_of_its_data()), and a thread issued
// the two directly after each other. A fixed program would issue both to the same stream, so the
// second of them would still wait for the first.
//
//   thread      i k d          k still waits for the copy i; the copy d still waits for k
//   blocking 1  .II...DD
//   legacy      ...KKK..
Edits own_stream_edits(const Trace&, const Graph& graph, double) {
  std::vector<std::uint32_t> issued_before(graph.tasks.size(), no_index);
  for (const ThreadSteps& thread : graph.threads) {
    std::uint32_t before = no_index;  // the task that the thread issued before this one
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      const Step& step = graph.steps[s];
      for (std::uint32_t t = step.first_task; t < step.first_task + step.task_count; ++t) {
        issued_before[t] = std::exchange(before, t);
      }
    }
  }
  Edits edits(graph);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      if (edge.cause != Cause::default_stream_barrier) continue;
      const bool stays = edge.from == issued_before[t] &&
                         is_copy_of_its_data(graph.tasks[edge.from], graph.tasks[t]);
      if (!stays) edits.remove_edge(e);
    }
  }
  return edits;
}

Edits no_launch_blocking_edits(const Trace&, const Graph& graph, double) {
  Edits edits(graph);
  edits.make_quick(Cause::launch_blocking, graph.quick_call);
  return edits;
}

}  // namespace

// All launches of one executable graph use the same memory, unless the program sets parameters of
// nodes between launches. No trace shows whether a program does so. So the fix needs a judgement.
const Fix graph_per_stream{Cause::graph_exec_reuse, false, true,
                           without_edges<Cause::graph_exec_reuse>};

const Fix own_stream_for_default{Cause::default_stream_barrier, false, true, own_stream_edits};

const Fix no_launch_blocking{Cause::launch_blocking, false, false, no_launch_blocking_edits};

}  // namespace lapscope::analyzer
