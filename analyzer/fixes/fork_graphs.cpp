#include "analyzer/fixes/fix.h"
#include "analyzer/independence/independence.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Returns the graph launch that issued a task. Returns null if the task is not a graph node.
const Step* launch_of(const Graph& graph, std::uint32_t t) {
  const Task& task = graph.tasks[t];
  return is_graph_node(graph, task) ? &graph.steps[task.step] : nullptr;
}

// After the fix, any node of a graph launch may end last. So if a task or a call waited for one
// node of a launch, this function makes it wait for all nodes of the launch.
void wait_for_all_nodes(Edits& edits) {
  const Graph& graph = edits.program();
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      const Step* launch = launch_of(graph, edge.from);
      if (!launch || edge.from_start || launch == launch_of(graph, t)) continue;
      for (std::uint32_t n = launch->first_task; n < launch->first_task + launch->task_count; ++n) {
        if (n != edge.from) edits.added.push_back({t, {n, edge.cause, false, false}});
      }
    }
  }
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const Step& step = graph.steps[s];
    std::vector<std::uint32_t> waits;
    bool is_changed = false;
    for (std::uint32_t w = step.first_wait; w < step.first_wait + step.wait_count; ++w) {
      const Step* launch = launch_of(graph, graph.waits[w]);
      const std::uint32_t first = launch ? launch->first_task : graph.waits[w];
      const std::uint32_t count = launch ? launch->task_count : 1;
      for (std::uint32_t n = first; n < first + count; ++n) waits.push_back(n);
      is_changed |= count > 1;
    }
    if (is_changed) edits.set_waits(s, waits);
  }
}

// Lets the nodes that `is_free` selects start as early as the first node of their launch. Returns
// nothing if `is_free` selects no node.
template <class IsFree>
std::optional<Edits> free_nodes(const Graph& graph, IsFree&& is_free) {
  Edits edits(graph);
  std::vector<std::uint32_t> freed;
  for (const Step& step : graph.steps) {
    if (!step.is_graph_launch || step.task_count == 0) continue;
    const std::uint32_t first = step.first_task;
    for (std::uint32_t t = first + 1; t < first + step.task_count; ++t) {
      if (!has_edge(graph, t, Cause::graph_edge) || !is_free(graph.tasks[t])) continue;
      freed.push_back(t);
      for (std::uint32_t e = graph.edge_begin[first]; e < graph.edge_begin[first + 1]; ++e) {
        edits.added.push_back({t, graph.edges[e]});
      }
    }
  }
  if (freed.empty()) return std::nullopt;
  wait_for_all_nodes(edits);
  for (const std::uint32_t t : freed) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      if (graph.edges[e].cause == Cause::graph_edge) edits.remove_edge(e);
    }
  }
  return edits;
}

Edits fork_graphs_edits(const Trace&, const Graph& graph, double) {
  return free_nodes(graph, [](const Task&) { return true; }).value_or(Edits(graph));
}

// Lets a node start as early as the first node of its launch, if the trace shows that the node
// needs no op ahead of it.
std::optional<Edits> fork_shown_graphs(const Trace&, const Graph& graph,
                                       const Independence& independence) {
  return free_nodes(graph, [&independence](const Task& task) {
    return begins_anew(independence.of_all_ahead(task));
  });
}

// Whether the delayed nodes last long enough on average. Nodes that take less time than the device
// takes to start a kernel (assumed::start_at_once) gain nothing from running side by side.
bool fork_graphs_is_plausible(const Trace&, const Graph& graph) {
  Ns time = 0;
  std::int64_t tasks = 0;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (graph.bindings[t].cause != Cause::graph_edge) continue;
    time += graph.times.tasks[t].length();
    ++tasks;
  }
  return tasks > 0 && time / tasks >= assumed::start_at_once;
}

}  // namespace

const Fix fork_graphs{
    Cause::graph_edge, false, true, fork_graphs_edits, fork_graphs_is_plausible, nullptr,
    fork_shown_graphs};

}  // namespace lapscope::analyzer
