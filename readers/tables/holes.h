#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Numbers of calls whose ops are absent from the trace, because their records were lost. The
// collector does not always notice the loss.
struct Holes {
  std::int64_t launches = 0;   // kernel launches without a kernel
  std::int64_t graphs = 0;     // graph launches that lack all ops, or an op of the same graph
  std::int64_t transfers = 0;  // copies and memsets without an op; some may be of 0 bytes
  std::int64_t unjoined = 0;   // launches, copies and memsets that may have an op without a call
  std::int64_t all_transfers = 0;  // all calls that copy or set memory
};

// The part of the run that the trace holds.
struct Extent {
  // True if the trace contains the whole run. In a whole run, an absent op means a lost record. In
  // a part of a run, an absent op may have run outside of the recorded GPU time.
  bool is_whole = false;
  // The records of the last `unwritten` ns of the run may be absent from the file.
  std::int64_t unwritten = 0;
  // Graphs were recorded as a whole, without their ops.
  bool lacks_graphs = false;
  // The captured part in session ns. std::nullopt if the whole run was captured. An interval of
  // length 0 if nothing was captured.
  std::optional<Interval> stretch = {};
};

// Finds calls whose ops are missing. Skips the calls in `excused`: calls whose ops were left out,
// and calls that share their correlation id. If the trace is only a part of the run, a call is
// checked only if its op certainly began before the last recorded op:
//
//   calls      [a]       [b]  [1]  [2]  [c]   [3]  [d]   [sync]  [e]
//   stream            [0]      [1   ][2   ]     [3   ]                of one thread
//
// - a: not checked. It lies before the first op.
// - b: checked. Its stream was idle, and the time from b to the last op is longer than any op took
//   to start.
// - c: checked. Op 3 was issued later to the same stream, and it ran.
// - d: checked. The host waited for the whole device after d. Without Capabilities::end_of_gpu,
//   this wait must end before the last recorded op ends.
// - e: not checked. The trace may end before its op.
//
// If a thread issued to several streams, the stream of a call is unknown. Then the condition of b
// or c must hold for each of these streams.
//
// Some ops are joined with no call. Such an op may belong to one of the calls whose op is missing.
// These calls count as unjoined instead, because no records were lost.
Holes find_holes(schema::Database& database, const Trace& trace, const Extent& extent,
                 const std::vector<std::uint32_t>& excused);

// Returns graph launches that lack an op. An op is missing if the same executable graph ran it in
// another launch, or if the graph has a node for it. Leaves out launches without any op. Leaves out
// processes whose graphs may change between launches: by updates, disabled nodes or conditional
// nodes.
std::vector<std::uint32_t> short_graph_launches(schema::Database& database, const Trace& trace);

}  // namespace lapscope::analyzer
