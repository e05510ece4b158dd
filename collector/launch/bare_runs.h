#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collector/launch/recording.h"

namespace lapscope::launch {

// One run of the program out of several.
struct Run {
  bool recorded = false;
  int exit_status = 0;
  std::int64_t elapsed_ns = 0;
};

struct ComparedRecording {
  Recording recording;  // of the run whose traces were kept
  std::vector<Run> runs;
  std::string trouble;  // a sentence if runs are missing, or could not be added to the traces
};

// Runs a program 2 * `bare_runs` times. Every second run is recorded; the others are bare, which
// means without CUPTI. Recorded and bare runs take turns, so that a machine that gets slower
// affects both. If a signal ends a run or asks it to end, no further run follows.
//
// Keeps the traces of one recorded run. On some machines, runs of one program differ by 50 % in
// duration. So the kept run is the one with the median total time of NVTX ranges; of two runs in
// the middle, the faster one. Runs whose exit status or number of traces differs from the last
// recorded run are not kept.
//
// The kept traces store the host times of the NVTX ranges of each run. Until the choice, traces
// have names such as `t.sqlite.run1`.
ComparedRecording record_and_compare(const RecordOptions& options, int bare_runs);

}  // namespace lapscope::launch
