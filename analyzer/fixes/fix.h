#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "analyzer/graph/edits.h"

namespace lapscope::analyzer {

class Independence;

// A change to a program that removes a cause. To predict the wall time, the edited program is
// replayed.
struct Fix {
  Cause cause;
  bool takes_number;  // whether a number may follow the code, as in stream-order:2
  // Whether the fix is valid depends on the program's data, which no trace shows.
  bool needs_judgement;
  // `value` is the number after the colon in the code, or 0.
  Edits (*edits)(const Trace& trace, const Graph& graph, double value);
  // Whether the trace has enough evidence for a finding. If null, delayed tasks are enough
  // evidence.
  bool (*is_plausible)(const Trace& trace, const Graph& graph) = nullptr;
  // Null if the prediction needs no copy rates of engines. If not null, returns an engine whose
  // copy rate is needed, but not in the trace; nullopt if there is no such engine.
  std::optional<Engine> (*unknown)(const Trace& trace, const Graph& graph) = nullptr;
  // Null if the fix does not require independent ops. If not null, returns the edits for the places
  // where the trace shows that ops are independent; nullopt if there are no such places.
  std::optional<Edits> (*where_independent)(const Trace& trace, const Graph& graph,
                                            const Independence& independence) = nullptr;

  std::optional<Engine> lacks(const Trace& trace, const Graph& graph) const {
    return unknown ? unknown(trace, graph) : std::nullopt;
  }
};

// Returns all fixes in the order of their causes. A cause has at most one fix.
std::span<const Fix* const> fixes();

// Returns the fix that removes `cause`, or null if there is none.
const Fix* fix_for(Cause cause);

// Returns edits that put calls into CUDA graphs: groups of calls that only enqueue work and follow
// each other closely. share_of(step) is how many of the calls at the source line of `step` move
// into graphs, as a fraction from 0 to 1. The first call of a group keeps its time. Each later call
// loses this fraction of its own time and of the gap before it.
Edits launch_in_graphs(const Trace& trace, const Graph& graph,
                       const std::function<double(std::uint32_t)>& share_of);

// Each fix is in the file of its name. Exceptions: hoist.cpp has the two hoist_ fixes.
// removed_waits.cpp has graph_per_stream, own_stream_for_default and no_launch_blocking.
extern const Fix split_streams;
extern const Fix own_stream_for_default;
extern const Fix drop_event_waits;
extern const Fix copy_other_way;
extern const Fix batch_copies;
extern const Fix leave_room;
extern const Fix more_connections;
extern const Fix host_functions_elsewhere;
extern const Fix fork_graphs;
extern const Fix graph_per_stream;
extern const Fix drop_syncs;
extern const Fix pin_memory;
extern const Fix hoist_allocation;
extern const Fix hoist_pinning;
extern const Fix load_before;
extern const Fix no_launch_blocking;
extern const Fix launch_graphs;
extern const Fix host_work_elsewhere;
extern const Fix hold_no_lock;

}  // namespace lapscope::analyzer
