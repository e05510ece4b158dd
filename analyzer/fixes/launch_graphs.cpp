#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "analyzer/fixes/fix.h"
#include "analyzer/intervals/median.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

bool enqueues(CallKind kind) {
  switch (kind) {
    case CallKind::launch:
    case CallKind::memset:
    case CallKind::copy_async:
    case CallKind::record_event:
    case CallKind::wait_event:
      return true;
    default:
      return false;
  }
}

Edits launch_graphs_edits(const Trace& trace, const Graph& graph, double) {
  return launch_in_graphs(trace, graph, [](std::uint32_t) { return 1.0; });
}

// Returns, for each function, the median duration in ns of its calls that only enqueue work. The
// median hardly changes with a single slow call, such as the first launch of a program.
std::map<std::uint32_t, Ns> typical_lengths(const Trace& trace, const Graph& graph) {
  std::map<std::uint32_t, std::vector<Ns>> lengths;  // by name
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const Step& step = graph.steps[s];
    if (step.call == no_index || step.task_count == 0 || step.wait_count > 0) continue;
    lengths[trace.calls.name[step.call]].push_back(graph.times.steps[s].length());
  }
  return medians_of(std::move(lengths));
}

// Whether launches take long enough for a graph to save time. For most tasks that were delayed by
// their own launch, the call must take more than assumed::large_part of the task's duration.
bool launch_graphs_is_plausible(const Trace& trace, const Graph& graph) {
  const std::map<std::uint32_t, Ns> typical = typical_lengths(trace, graph);
  std::int64_t tasks = 0;
  std::int64_t short_tasks = 0;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (graph.bindings[t].cause != Cause::launch_overhead || graph.tasks[t].step == no_index) {
      continue;
    }
    const std::uint32_t launch = graph.tasks[t].step;
    const auto known = typical.find(trace.calls.name[graph.steps[launch].call]);
    const Ns length = known == typical.end() ? graph.times.steps[launch].length() : known->second;
    ++tasks;
    const auto work = static_cast<double>(graph.times.tasks[t].length());
    short_tasks += static_cast<double>(length) > assumed::large_part * work;
  }
  return static_cast<double>(short_tasks) > assumed::majority * static_cast<double>(tasks);
}

}  // namespace

Edits launch_in_graphs(const Trace& trace, const Graph& graph,
                       const std::function<double(std::uint32_t)>& share_of) {
  Edits edits(graph);
  std::vector<bool> is_in_graph(graph.tasks.size());
  for (const ThreadSteps& thread : graph.threads) {
    bool in_run = false;
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      const Step& step = graph.steps[s];
      const bool is_node = enqueues(trace.calls.kind[step.call]) && step.wait_count == 0 &&
                           step.cause == Cause::launch_overhead;
      const double share = is_node ? share_of(s) : 0;
      const bool follows = in_run && step.gap <= assumed::longest_latency && step.after == no_index;
      if (share > 0 && follows) {
        Step& node = edits.steps.edit(s);
        const auto left_of = [share](Ns ns) {
          return ns - std::llround(share * static_cast<double>(ns));
        };
        node.call_overhead = left_of(node.call_overhead);
        node.gap = left_of(node.gap);
        const bool is_most = share >= assumed::majority;
        for (std::uint32_t t = node.first_task; is_most && t < node.first_task + node.task_count;
             ++t) {
          is_in_graph[t] = true;
          edits.shorten_way(t);
        }
      }
      in_run = share > 0;
    }
  }
  // The time between two kernels is shorter in a graph than in a stream. So their edges get the
  // cause graph_edge.
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      if (is_in_graph[t] && graph.edges[e].cause == Cause::stream_order) {
        edits.edges.edit(e).cause = Cause::graph_edge;
      }
    }
  }
  return edits;
}

const Fix launch_graphs{Cause::launch_overhead, false, false, launch_graphs_edits,
                        launch_graphs_is_plausible};

}  // namespace lapscope::analyzer
