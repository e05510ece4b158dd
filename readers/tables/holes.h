#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Calls that succeeded and whose ops are not in the trace, though they ran while it was recorded:
// records of the GPU were lost, whether or not they were counted.
struct Holes {
  std::int64_t launches = 0;  // of kernels, without one
  std::int64_t graphs = 0;  // launches of graphs, without an op or one that others of the same had
  std::int64_t transfers = 0;  // copies and memsets, without one: some may have been of no bytes
  std::int64_t all_transfers = 0;  // calls that copy or set, with an op or without
};

// How much of the run the trace holds.
struct Extent {
  // Every record of the run: an op that is not there is lost. Otherwise ops outside of the recorded
  // time of the GPU do not belong to the trace.
  bool is_whole = false;
  // Records of so many ns at the end may not have been written any more.
  std::int64_t unwritten = 0;
  // Graphs were recorded as a whole: their ops are nowhere.
  bool lacks_graphs = false;
  // The part that was captured, in session ns, where that is not all; empty where nothing was.
  std::optional<Interval> stretch = {};
};

// `excused` are calls whose ops were left out, or that share their id with another. In part of a
// run, a call is looked at if what it issued must have begun before the last op that is there:
//
//   calls      [a]       [b]  [1]  [2]  [c]   [3]  [d]   [sync]  [e]
//   stream            [0]      [1   ][2   ]     [3   ]                of one thread
//
// - a: it is before the first op, and not looked at.
// - b: the stream was idle, and there was more time until the last op than any op took to start.
// - c: 3 is there, and streams run in the order of issue.
// - d: the host waited for the whole device. Without Capabilities::end_of_gpu, this ends before the
//   last op that is there, too: the trace may be cropped there, and e is not looked at.
//
// A thread that issued to several streams may have issued to any of them: each must agree to b or
// c.
Holes find_holes(schema::Database& database, const Trace& trace, const Extent& extent,
                 const std::vector<std::uint32_t>& excused);

// Launches of graphs with ops, and without an op that the same executable graph had in another
// launch, or has a node for. Empty for a process whose graphs may change between launches: by
// updates, nodes that are switched off, conditions.
std::vector<std::uint32_t> short_graph_launches(schema::Database& database, const Trace& trace);

}  // namespace lapscope::analyzer
