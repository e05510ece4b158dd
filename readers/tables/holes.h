#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// The numbers of calls whose ops are not in the trace. The calls succeeded while the GPU was
// recorded, so the records of their ops were lost. The collector may not have counted this loss.
struct Holes {
  std::int64_t launches = 0;       // kernel launches without a kernel
  std::int64_t graphs = 0;         // graph launches that lack all ops, or an op of the same graph
  std::int64_t transfers = 0;      // copies and memsets without an op; some may be of 0 bytes
  std::int64_t all_transfers = 0;  // all calls that copy or set memory
};

// The part of the run that the trace holds.
struct Extent {
  // True if the trace contains the whole run. In this case, the record of an absent op was lost. If
  // the trace contains a part of the run, ops outside of the recorded GPU time are absent, too.
  bool is_whole = false;
  // The length in ns of the last part of the run whose records may not have been written.
  std::int64_t unwritten = 0;
  // Graphs were recorded as a whole, without their ops.
  bool lacks_graphs = false;
  // The captured part in session ns; an interval of length 0 if nothing was captured. std::nullopt
  // if all of the run was captured.
  std::optional<Interval> stretch = {};
};

// Finds calls whose ops are missing. Does not check the calls in `excused`. These are calls whose
// ops were left out, and calls that share their correlation id with another call. In a trace of
// part of a run, the op of a checked call must have begun before the last recorded op:
//
//   calls      [a]       [b]  [1]  [2]  [c]   [3]  [d]   [sync]  [e]
//   stream            [0]      [1   ][2   ]     [3   ]                of one thread
//
// - a: not checked, as it lies before the first op.
// - b: checked. Its stream was idle. From b to the last op, more time passes than any op took from
//   its call to its start.
// - c: checked. Op 3 follows in the stream, and streams run in the order of issue.
// - d: checked. The host waited for the whole device. Without Capabilities::end_of_gpu, the wait
//   must also end before the last recorded op.
// - e: not checked, as the trace may end before its op.
//
// If a thread issued to several streams, the stream of the call is unknown. The call is checked
// only if the condition of b or c holds for each of these streams.
Holes find_holes(schema::Database& database, const Trace& trace, const Extent& extent,
                 const std::vector<std::uint32_t>& excused);

// Returns graph launches that ran some of their ops and lack others. An op is missing if the same
// executable graph ran it in another launch, or if the graph has a node for it. Leaves out
// processes whose graphs may change between launches: by updates, disabled nodes or conditional
// nodes.
std::vector<std::uint32_t> short_graph_launches(schema::Database& database, const Trace& trace);

}  // namespace lapscope::analyzer
