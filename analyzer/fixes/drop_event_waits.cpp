#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

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
// look at. With a value all waits go.
void apply_drop_event_waits(const Trace&, double value, Graph& graph) {
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    std::uint32_t waits = 0;
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      waits += graph.edges[e].cause == Cause::event_wait;
    }
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      Edge& edge = graph.edges[e];
      if (edge.cause != Cause::event_wait) continue;
      const bool is_longest = waits > 1 && graph.bindings[t].cause == Cause::event_wait &&
                              graph.bindings[t].from == edge.from;
      edge.removed |=
          value > 0 || is_longest || !looks_like_data(graph.tasks[edge.from], graph.tasks[t]);
    }
  }
}

}  // namespace

const Fix drop_event_waits{Cause::event_wait,
                           "streams do not wait for events that no data seem to need",
                           "1 to drop all waits", true, apply_drop_event_waits};

}  // namespace lapscope::analyzer
