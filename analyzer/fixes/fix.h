#pragma once

#include <optional>
#include <span>

#include "analyzer/graph/edits.h"

namespace lapscope::analyzer {

class Independence;

// What people do about a cause: what a run of the edited program takes is the prediction.
struct Fix {
  Cause cause;
  bool takes_number;  // which may follow the code after a colon
  // Whether the program's data must allow it, which no trace shows.
  bool needs_judgement;
  // `value` is what followed the colon, or 0.
  Edits (*edits)(const Trace& trace, const Graph& graph, double value);
  // Whether the trace has the evidence that makes it worth a finding, beyond that tasks were
  // delayed; null when that is enough.
  bool (*is_plausible)(const Trace& trace, const Graph& graph) = nullptr;
  // The engine whose rate of copies would have to be known to predict what the change brings, and
  // is not known. Null when nothing beyond the graph is needed.
  std::optional<Engine> (*unknown)(const Trace& trace, const Graph& graph) = nullptr;
  // For a change that only helps where ops do not need each other: the change where the trace shows
  // that they do not; nothing where it shows that nowhere. Null where nothing has to be shown.
  std::optional<Edits> (*where_independent)(const Trace& trace, const Graph& graph,
                                            const Independence& independence) = nullptr;

  std::optional<Engine> lacks(const Trace& trace, const Graph& graph) const {
    return unknown ? unknown(trace, graph) : std::nullopt;
  }
};

// One for each cause that can be fixed, in the order of causes.
std::span<const Fix* const> fixes();

// Null when nothing can be done about it.
const Fix* fix_for(Cause cause);

// Each in the file of its name; twins share one.
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
