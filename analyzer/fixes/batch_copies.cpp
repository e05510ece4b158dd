#include <algorithm>
#include <limits>

#include "analyzer/fixes/fix.h"
#include "analyzer/graph/constraints/small_copies.h"
#include "analyzer/graph/copy_rates.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
namespace {

// Merges copies into a single copy, which replaces the last of these copies. In the drawing, the
// calls a to e issue the copies A to E, and the call k launches the kernel K:
//
//   thread    abcdek....        thread    ....ek....
//   stream 1  .ABCDEKKK.        stream 1  .....EKKK.    E has the bytes of all five copies
class Batch {
 public:
  Batch(const Trace& trace, const CopyRates& rates, Edits& edits)
      : trace_(trace), rates_(rates), graph_(edits.program()), edits_(edits) {}

  void make(const std::vector<std::uint32_t>& tasks) {
    if (tasks.size() < 2) return;
    const std::uint32_t last = tasks.back();
    edits_.lengths.edit(last).work = work_of(tasks);
    if (rates_.is_assumed) edits_.stand_ins.insert(assumed::share_of_link.name);
    for (std::size_t i = 1; i < tasks.size(); ++i) leave(tasks[i - 1], tasks[i]);
    for (const std::uint32_t t : tasks) {
      if (t == last) continue;
      vanish(t);
      edits_.added.push_back({last, {t, Cause::small_copies, false, false}});
    }
  }

 private:
  // Returns the predicted duration of the merged copy in ns: an overhead, plus the time for all
  // bytes at the rate of large copies. The overhead of a single copy is its duration minus the time
  // for its bytes at this rate. The merged copy gets the least overhead of the single copies. Its
  // duration is at most the sum of their durations.
  Ns work_of(const std::vector<std::uint32_t>& tasks) const {
    double bytes = 0;
    double all = 0;
    double start = std::numeric_limits<double>::max();
    const double rate = rates_.of(graph_.tasks[tasks.front()].engine);
    for (const std::uint32_t t : tasks) {
      const Task& task = graph_.tasks[t];
      const auto own = static_cast<double>(trace_.devices[task.device].ops.bytes[task.op]);
      const auto work = static_cast<double>(graph_.lengths[t].work);
      bytes += own;
      all += work;
      start = std::min(start, std::max(0.0, work - own / rate));
    }
    return static_cast<std::int64_t>(std::min(all, bytes / rate + start));
  }

  // Removes the edges by which `to` waits for the end of `from`.
  void leave(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t e = graph_.edge_begin[to]; e < graph_.edge_begin[to + 1]; ++e) {
      const Edge& edge = graph_.edges[e];
      if (edge.from == from && !edge.from_start) edits_.remove_edge(e);
    }
  }

  // Turns a copy into a task without an op, with a duration of 0. The task is not removed, because
  // other tasks are ordered by their edges from and to it.
  void vanish(std::uint32_t t) {
    edits_.tasks.edit(t).op = no_index;
    edits_.lengths.edit(t).work = 0;
    edits_.lengths.edit(t).work_rest = 0;
    edits_.steps.edit(graph_.tasks[t].step).call_overhead = 0;
  }

  const Trace& trace_;
  const CopyRates& rates_;
  const Graph& graph_;
  Edits& edits_;
};

// Returns, for each task, whether a call or another task waits for the task's end. The next copy of
// a CopyRun does not count as such a task.
std::vector<bool> awaited(const Graph& graph, const std::vector<CopyRun>& runs) {
  std::vector<std::uint32_t> next(graph.tasks.size(), no_index);
  for (const CopyRun& run : runs) {
    for (std::size_t i = 1; i < run.tasks.size(); ++i) next[run.tasks[i - 1]] = run.tasks[i];
  }
  std::vector<bool> result(graph.tasks.size());
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      if (!edge.from_start && next[edge.from] != t) result[edge.from] = true;
    }
  }
  for (const Step& step : graph.steps) {
    for (std::uint32_t w = step.first_wait; w < step.first_wait + step.wait_count; ++w) {
      result[graph.waits[w]] = true;
    }
  }
  return result;
}

Edits batch_copies_edits(const Trace& trace, const Graph& graph, double) {
  Edits edits(graph);
  const std::vector<CopyRun> runs = small_copy_runs(trace, graph, graph.times);
  const std::vector<bool> is_awaited = awaited(graph, runs);
  const std::vector<CopyRates> rates = copy_rates(trace);
  for (const CopyRun& run : runs) {
    Batch batch(trace, rates[graph.tasks[run.tasks.front()].device], edits);
    std::vector<std::uint32_t> together;
    for (const std::uint32_t t : run.tasks) {
      together.push_back(t);
      if (!is_awaited[t] && t != run.tasks.back()) continue;
      batch.make(together);
      together.clear();
    }
  }
  return edits;
}

}  // namespace

const Fix batch_copies{Cause::small_copies, false, true, batch_copies_edits};

}  // namespace lapscope::analyzer
