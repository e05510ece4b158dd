#pragma once

#include <optional>
#include <vector>

#include "analyzer/graph/edits.h"
#include "analyzer/replay/replay.h"

// The recorder's own time, and a run without it.
//
//   recorded    thread 1  aaaabbbbcccc....      a launch takes 2 more for being recorded; the host
//              stream 1  ....A...B...CCCC      delays all
//   without     thread 1  aabbcc....
//               stream 1  ..A.B.CCCC
//
// Nothing is taken off where no costs are known.
namespace lapscope::analyzer {

// What recording adds to the calls of a graph, by step; NVTX ranges count to the time before calls.
// Empty where no costs are known.
std::vector<Charge> charges_of(const Trace& trace, const CallCosts& costs, const Graph& graph);

// What is taken off the program: what is charged to its calls, and what recording adds from kernel
// to kernel on the device.
Edits without_costs(const CallCosts& costs, const std::vector<Charge>& charges, const Graph& graph);

// Makes these edits. What follows moves by as much as a replay of the shortened run is ahead of one
// of the recorded run: what the replay does not explain stays as it was. Nothing where no costs are
// known.
std::optional<Graph> without_recorder(const CallCosts& costs, const std::vector<Charge>& charges,
                                      const Graph& graph);

}  // namespace lapscope::analyzer
