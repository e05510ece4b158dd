#include "analyzer/fixes/fix.h"
#include "analyzer/independence/independence.h"

namespace lapscope::analyzer {
namespace {

// Whether one task may well need what the other made: what computes needs what was copied in or
// computed, what is copied out was computed. A copy out makes nothing that the device could need,
// and a copy needs nothing of another copy.
bool looks_like_data(const Task& from, const Task& to) {
  if (from.op == no_index || to.op == no_index) return true;
  if (to.engine == Engine::compute) return from.engine != Engine::d2h;
  return from.engine == Engine::compute && to.engine != Engine::h2d;
}

// Waits that look like data stay, but for the one of several that took longest: it is the one to
// look at. `drop` is asked of each, and whether it is to go by this.
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

// With a value all waits go.
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
