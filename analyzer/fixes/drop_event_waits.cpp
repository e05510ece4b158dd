#include "analyzer/fixes/fix.h"
#include "analyzer/fixes/tiles.h"

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

// Whether the trace shows that one task does not need the other. What is copied in has to be
// computed on before it is worth copying out, and copies the same way use different memory. A copy
// in may have to wait for a copy out, and a kernel, too: of the buffer that both use. Not so
// between tiles that have streams of their own, and so buffers.
bool is_shown_needless(const Tiles& tiles, const Task& from, const Task& to) {
  const bool is_in = from.engine == Engine::h2d && from.op != no_index;
  const bool is_out = to.engine == Engine::d2h && to.op != no_index;
  const bool is_same_way = from.engine == to.engine && (is_in || is_out);
  return (is_in && is_out) || is_same_way || tiles.take_turns(from, to);
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

std::optional<Edits> drop_shown_event_waits(const Trace&, const Graph& graph, const Tiles& tiles) {
  bool is_any = false;
  Edits edits = drop_waits(graph, [&](const Task& from, const Task& to, bool is_to_go) {
    const bool goes = is_to_go && is_shown_needless(tiles, from, to);
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
