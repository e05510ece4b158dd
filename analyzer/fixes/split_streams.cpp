#include <algorithm>

#include "analyzer/fixes/chains.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

bool is_node_of_launch(const Graph& graph, std::uint32_t t) {
  const std::uint32_t step = graph.tasks[t].step;
  return step != no_index && graph.steps[step].is_graph_launch;
}

// A node that waits for no other one of its launch.
bool is_root(const Graph& graph, std::uint32_t t) {
  for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
    if (graph.tasks[graph.edges[e].from].step == graph.tasks[t].step) return false;
  }
  return true;
}

// Who waits for a stream waits for its last task, which is of one chain: now also for the chains
// before it, so many that those before them are waited for by these.
void wait_for_all_chains(const std::vector<std::vector<std::uint32_t>>& others, Edits& edits) {
  const Graph& graph = edits.program();
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const Step& step = graph.steps[s];
    std::vector<std::uint32_t> waits;
    for (std::uint32_t w = step.first_wait; w < step.first_wait + step.wait_count; ++w) {
      waits.push_back(graph.waits[w]);
      const std::vector<std::uint32_t>& more = others[graph.waits[w]];
      waits.insert(waits.end(), more.begin(), more.end());
    }
    if (waits.size() == step.wait_count) continue;
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    edits.set_waits(s, waits);
  }
}

// A task that waited for the other one already does so as it did.
void wait_for(std::uint32_t before, std::uint32_t t, Edits& edits) {
  const Graph& graph = edits.program();
  for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
    if (graph.edges[e].from != before) continue;
    edits.edges.edit(e).removed = false;
    return;
  }
  edits.added.push_back({t, {before, Cause::stream_order, false, false}});
}

bool has_stream_order(const Graph& graph, std::uint32_t t) {
  for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
    if (graph.edges[e].cause == Cause::stream_order) return true;
  }
  return false;
}

// What copies out that are left behind waited for besides their stream, the work behind them still
// waits for: an event holds up all that comes after it in the stream.
void wait_as(const std::vector<std::uint32_t>& left, std::uint32_t t, Edits& edits) {
  const Graph& graph = edits.program();
  for (const std::uint32_t copy : left) {
    for (std::uint32_t e = graph.edge_begin[copy]; e < graph.edge_begin[copy + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      if (edge.cause != Cause::stream_order) edits.added.push_back({t, edge});
    }
  }
}

// What waited for work of another stream, by an event say, waited for the copies out ahead of that,
// too. Nodes of one launch wait for each other alone.
// copied_out: of each task, the last one that was left behind.
void wait_for_copies_out(const std::vector<std::uint32_t>& copied_out, Edits& edits) {
  const Graph& graph = edits.program();
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      Edge edge = graph.edges[e];
      const std::uint32_t copy = copied_out[edge.from];
      if (copy == no_index || edge.cause == Cause::stream_order) continue;
      const Task& from = graph.tasks[edge.from];
      const bool is_of_launch = from.step != no_index && from.step == graph.tasks[t].step;
      if (edge.from_start || is_of_launch || from.stream == graph.tasks[t].stream) continue;
      edge.from = copy;
      edits.added.push_back({t, edge});
    }
  }
}

// Nothing where no stream has several chains.
std::optional<Edits> split(const Trace& trace, const Graph& graph, std::uint32_t depth,
                           const Independence* shown) {
  bool is_any = false;
  Edits edits(graph);
  edits.remove_edges(Cause::stream_order);
  std::vector<bool> is_awaited(graph.tasks.size());
  for (const std::uint32_t task : graph.waits) is_awaited[task] = true;
  std::vector<std::vector<std::uint32_t>> others(graph.tasks.size());  // of those: chains beside
  std::vector<std::uint32_t> copied_out(graph.tasks.size(), no_index);
  Chains chains(trace, graph, depth, shown);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Step* launch = is_node_of_launch(graph, t) ? &graph.steps[graph.tasks[t].step] : nullptr;
    const Chains::Place& place = launch ? chains.pass_launch(*launch) : chains.pass_task(t);
    is_any |= place.is_apart && has_stream_order(graph, t);
    if (place.computed != no_index) {
      edits.added.push_back({t, {place.computed, Cause::event_wait, false, false}});
    }
    // Of those that go together.
    const std::uint32_t last = launch ? launch->first_task + launch->task_count - 1 : t;
    for (std::uint32_t one = t; one <= last; ++one) {
      copied_out[one] = place.copied_out;
      if (is_awaited[one]) others[one] = place.beside;
      if (!is_root(graph, one)) continue;
      wait_as(place.left, one, edits);
      for (const std::uint32_t before : place.behind) wait_for(before, one, edits);
    }
    t = last;
  }
  if (!is_any) return std::nullopt;
  wait_for_all_chains(others, edits);
  wait_for_copies_out(copied_out, edits);
  return edits;
}

Edits split_streams_edits(const Trace& trace, const Graph& graph, double value) {
  const std::uint32_t depth =
      value >= 1 ? static_cast<std::uint32_t>(value) : assumed::streams_for_one.value;
  return split(trace, graph, depth, nullptr).value_or(Edits(graph));
}

std::optional<Edits> split_shown_streams(const Trace& trace, const Graph& graph,
                                         const Independence& shown) {
  return split(trace, graph, assumed::streams_for_one, &shown);
}

}  // namespace

const Fix split_streams{Cause::stream_order, true, true, split_streams_edits, nullptr, nullptr,
                        split_shown_streams};

}  // namespace lapscope::analyzer
