#pragma once

#include <optional>
#include <vector>

#include "analyzer/graph/edits.h"
#include "analyzer/replay/replay.h"

// The time that recording adds, and the times that the run would have without it.
//
//   recorded    thread 1  aaaabbbbcccc....      recording adds 2 to each launch; the host delays
//               stream 1  ....A...B...CCCC      all ops
//   without     thread 1  aabbcc....
//               stream 1  ..A.B.CCCC
//
// Nothing is subtracted if the costs of recording are not known.
namespace lapscope::analyzer {

// Returns the time that recording added to each step. The cost of NVTX ranges is in Charge::before.
// Returns an empty vector if no costs are known.
std::vector<Charge> charges_of(const Trace& trace, const CallCosts& costs, const Graph& graph);

// Replays the graph with and without the time that recording adds. Moves each task and call by the
// difference, so unexplained delays do not change. Returns empty if no costs are known.
std::optional<Graph> without_recorder(const CallCosts& costs, const std::vector<Charge>& charges,
                                      const Graph& graph);

}  // namespace lapscope::analyzer
