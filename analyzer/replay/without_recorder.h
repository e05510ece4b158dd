#pragma once

#include <optional>

#include "analyzer/replay/replay.h"

// The recorder's own time, and a run without it.
//
//   recorded    thread 1  aaaabbbbcccc....      a launch takes 2 more for being recorded; the host
//               stream 1  ....A...B...CCCC      holds all up
//   without     thread 1  aabbcc....
//               stream 1  ..A.B.CCCC
//
// Nothing is taken off where no costs are known.
namespace lapscope::analyzer {

// What recording adds to each call, and to the time before it, by step: as far as that was seen to
// take so long.
struct Charge {
  std::int32_t call = 0;
  std::int32_t before = 0;  // NVTX ranges, too
};
std::vector<Charge> charges_of(const Trace& trace, const CallCosts& costs, const Graph& graph);

// Step::recorder and recorder_before are these.
void charge_recorder(const Trace& trace, const CallCosts& costs, Graph& graph);

// A graph as it was recorded, and when its tasks and steps would have run without the recorder.
struct WithoutRecorder {
  Graph graph;  // has these times
  Replayed times;
};

// Takes off what charge_recorder() has found, and what recording adds from kernel to kernel on the
// device. What follows moves by as much as a replay of the shortened run is ahead of one of the
// recorded run: what the replay does not explain stays as it was. Nothing where there is nothing to
// take off. `graph` is charged with the same costs.
std::optional<WithoutRecorder> without_recorder(const CallCosts& costs, const Graph& graph);

}  // namespace lapscope::analyzer
