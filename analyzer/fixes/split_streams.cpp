#include <algorithm>
#include <set>

#include "analyzer/fixes/chains.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Whether a task waits for no other task of its call, such as another node of its graph launch.
bool is_root(const Graph& graph, std::uint32_t t) {
  for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
    if (graph.tasks[graph.edges[e].from].step == graph.tasks[t].step) return false;
  }
  return true;
}

// Makes `t` wait for `before`: restores the edge between these tasks, or adds an edge if there is
// none.
void wait_for(std::uint32_t before, std::uint32_t t, Edits& edits) {
  const Graph& graph = edits.program();
  for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
    if (graph.edges[e].from != before) continue;
    edits.edges.edit(e).removed = false;
    return;
  }
  edits.added.push_back({t, {before, Cause::stream_order, false, false}});
}

// Whether an edge orders the work of two streams: `to` and all later work of its stream start after
// `edge.from` and all earlier work of its stream. An edge between two nodes of a graph launch does
// not, because it orders only these nodes.
bool is_between_streams(const Graph& graph, const Edge& edge, std::uint32_t to) {
  const Task& from = graph.tasks[edge.from];
  const Task& task = graph.tasks[to];
  const bool is_of_launch = from.step != no_index && from.step == task.step;
  return edge.cause != Cause::stream_order && !edge.from_start && !is_of_launch &&
         from.stream != task.stream;
}

// Adds to `orders` the edges from other streams that delay task `to`, and thereby all later tasks
// of its stream. Keeps only the latest edge for each of these other streams.
void add_orders(const Graph& graph, std::uint32_t to, std::vector<Edge>& orders) {
  for (std::uint32_t e = graph.edge_begin[to]; e < graph.edge_begin[to + 1]; ++e) {
    const Edge& edge = graph.edges[e];
    if (!is_between_streams(graph, edge, to)) continue;
    const auto known = std::find_if(orders.begin(), orders.end(), [&](const Edge& order) {
      return graph.tasks[order.from].stream == graph.tasks[edge.from].stream;
    });
    if (known == orders.end()) {
      orders.push_back(edge);
    } else {
      *known = edge;
    }
  }
}

// Calls and streams may wait for all work of a stream. In the graph, they wait for the stream's
// last task t. After the split, t is only the end of one chain. Makes these calls and streams also
// wait for the ends of the other chains, others[t].
void wait_for_others(const std::vector<std::vector<std::uint32_t>>& others, Edits& edits) {
  const Graph& graph = edits.program();
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const Step& step = graph.steps[s];
    const auto* first = graph.waits.values().data() + step.first_wait;
    std::set<std::uint32_t> waits(first, first + step.wait_count);
    const std::size_t own = waits.size();
    for (const auto* wait = first; wait != first + step.wait_count; ++wait) {
      waits.insert(others[*wait].begin(), others[*wait].end());
    }
    if (waits.size() > own) edits.set_waits(s, {waits.begin(), waits.end()});
  }
  std::vector<NewEdge> more;
  const auto add = [&](std::uint32_t to, Edge edge) {
    if (!is_between_streams(graph, edge, to)) return;
    const std::uint32_t from = edge.from;
    for (const std::uint32_t other : others[from]) {
      edge.from = other;
      if (other != from) more.push_back({to, edge});
    }
  };
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      add(t, graph.edges[e]);
    }
  }
  for (const NewEdge& one : edits.added) add(one.to, one.edge);
  edits.added.insert(edits.added.end(), more.begin(), more.end());
}

// Returns, for each task, whether the host or another stream waits for the task.
std::vector<bool> awaited(const Graph& graph) {
  std::vector<bool> result(graph.tasks.size());
  for (const std::uint32_t task : graph.waits) result[task] = true;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      if (is_between_streams(graph, graph.edges[e], t)) result[graph.edges[e].from] = true;
    }
  }
  return result;
}

// Splits streams into chains. Returns nothing if no stream has several chains.
std::optional<Edits> split(const Trace& trace, const Graph& graph, std::uint32_t depth,
                           const Independence* independence) {
  bool is_any = false;
  Edits edits(graph);
  edits.remove_edges(Cause::stream_order);
  const std::vector<bool> is_awaited = awaited(graph);
  std::vector<std::vector<std::uint32_t>> others(graph.tasks.size());  // see wait_for_others()
  std::vector<std::vector<Edge>> orders(graph.streams.size());         // by stream, so far
  Chains chains(trace, graph, depth, independence);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    const Step* launch = is_graph_node(graph, task) ? &graph.steps[task.step] : nullptr;
    const Chains::Place& place = launch ? chains.pass_launch(*launch) : chains.pass_task(t);
    is_any |= place.is_apart && has_edge(graph, t, Cause::stream_order);
    if (place.computed != no_index) {
      edits.added.push_back({t, {place.computed, Cause::event_wait, false, false}});
    }
    // The nodes of one launch are handled together, as the tasks from `t` to `last`.
    const std::uint32_t last = launch ? launch->first_task + launch->task_count - 1 : t;
    for (std::uint32_t one = t; one <= last; ++one) {
      if (is_awaited[one]) others[one] = place.beside;
      if (!is_root(graph, one)) continue;
      if (place.is_apart) {
        for (const Edge& edge : orders[place.stream]) edits.added.push_back({one, edge});
      }
      for (const std::uint32_t before : place.behind) wait_for(before, one, edits);
    }
    for (; t <= last; ++t) add_orders(graph, t, orders[place.stream]);
    t = last;
  }
  if (!is_any) return std::nullopt;
  wait_for_others(others, edits);
  return edits;
}

Edits split_streams_edits(const Trace& trace, const Graph& graph, double value) {
  const std::uint32_t depth =
      value >= 1 ? static_cast<std::uint32_t>(value) : assumed::streams_for_one.value;
  return split(trace, graph, depth, nullptr).value_or(Edits(graph));
}

std::optional<Edits> split_shown_streams(const Trace& trace, const Graph& graph,
                                         const Independence& independence) {
  return split(trace, graph, assumed::streams_for_one, &independence);
}

}  // namespace

const Fix split_streams{Cause::stream_order, true, true, split_streams_edits, nullptr, nullptr,
                        split_shown_streams};

}  // namespace lapscope::analyzer
