#include "analyzer/fixes/fix.h"
#include "analyzer/independence/independence.h"

namespace lapscope::analyzer {
namespace {

// Whether `to` probably needs data that `from` made:
// - A kernel needs data from any op except a copy to the host.
// - A copy from the host to the device needs no data from other ops. Any other copy needs data from
//   kernels, but not from other copies.
// - A host function may need, or make, any data.
bool looks_like_data(const Task& from, const Task& to) {
  if (from.op == no_index || to.op == no_index) return true;
  if (to.engine == Engine::compute) return from.engine != Engine::d2h;
  return from.engine == Engine::compute && to.engine != Engine::h2d;
}

// Calls drop(from, to, is_to_go) for each pair of tasks in which the task `to` waits for an event
// that was recorded after the task `from`. Removes the wait if drop() returns true. `is_to_go` is
// true in two cases:
// - The task `to` probably needs no data from the task `from` (looks_like_data() returns false).
// - The task `to` has several waits for events, and this wait delayed its start. A user should
//   check this wait first.
template <class Drop>
Edits drop_waits(const Graph& graph, Drop&& drop) {
  Edits edits(graph);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    std::uint32_t waits = 0;
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      waits += graph.edges[e].cause == Cause::event_wait;
    }
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      if (edge.cause != Cause::event_wait) continue;
      const bool is_longest = waits > 1 && graph.bindings[t].cause == Cause::event_wait &&
                              graph.bindings[t].from == edge.from;
      const Task& from = graph.tasks[edge.from];
      const Task& to = graph.tasks[t];
      if (drop(from, to, is_longest || !looks_like_data(from, to))) edits.remove_edge(e);
    }
  }
  return edits;
}

// If `value` is above 0, removes all waits for events.
Edits drop_event_waits_edits(const Trace&, const Graph& graph, double value) {
  return drop_waits(
      graph, [value](const Task&, const Task&, bool is_to_go) { return value > 0 || is_to_go; });
}

std::optional<Edits> drop_shown_event_waits(const Trace&, const Graph& graph,
                                            const Independence& independence) {
  bool is_any = false;
  Edits edits = drop_waits(graph, [&](const Task& from, const Task& to, bool is_to_go) {
    const bool goes = is_to_go && independence.of(from, to) != Grounds::none;
    is_any |= goes;
    return goes;
  });
  if (!is_any) return std::nullopt;
  return edits;
}

}  // namespace

const Fix drop_event_waits{Cause::event_wait,      true,    true,
                           drop_event_waits_edits, nullptr, nullptr,
                           drop_shown_event_waits};

}  // namespace lapscope::analyzer
