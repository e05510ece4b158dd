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
  std::int64_t graphs = 0;     // graph launches without ops, and short_graph_launches()
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
// and calls with ambiguous correlation ids (IssueIndex::ambiguous()).
//
// If the trace is only a part of the run, an op may have run outside of this part. Calls before the
// first recorded op are then skipped. A later call is checked only if one of these conditions shows
// that its op ran in the recorded GPU time:
// - The host waited for the whole device after the call. Without Capabilities::end_of_gpu, this
//   wait must end before the last recorded op ends.
// - The thread issued a later op to the same stream, and the trace has this op.
// - The stream was idle when the call ended, and it has no later op in the trace. The time from the
//   end of the call to the end of the recorded GPU time is longer than any op took to start.
//
// The trace does not show to which stream the call issued its op. So one of the last two conditions
// must hold for each stream to which the thread issued ops.
//
// The trace may also have ops whose call is unknown. If such an op may belong to a call without an
// op, the call counts as Holes::unjoined.
Holes find_holes(schema::Database& database, const Trace& trace, const Extent& extent,
                 const std::vector<std::uint32_t>& excused);

// Returns graph launches that lack an op. An op is missing if the same executable graph ran it in
// another launch, or if the graph has a node for it. Leaves out launches without any op. Leaves out
// processes whose graphs may change between launches: by updates, disabled nodes or conditional
// nodes.
std::vector<std::uint32_t> short_graph_launches(schema::Database& database, const Trace& trace);

}  // namespace lapscope::analyzer
