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

// Runs a program 2 * `bare_runs` times. Half of the runs are recorded. The other half are bare:
// they run without CUPTI. Recorded and bare runs take turns, so that a machine that gets slower
// affects both sorts of runs. If a signal ends a run or asks it to end, no further run follows.
//
// Keeps the traces of one recorded run, to be compared with the median of the bare runs. The run
// should be typical, because durations of runs of one program differ, on some machines by 50 %. The
// candidates are the recorded runs that have the exit status and the number of traces of the last
// recorded run. The chosen candidate has the median total time of NVTX ranges. If two candidates
// are in the middle, the faster one is chosen. Before this choice, the traces have names such as
// `t.sqlite.run1`. The kept traces store the host times of the NVTX ranges of each run.
ComparedRecording record_and_compare(const RecordOptions& options, int bare_runs);

}  // namespace lapscope::launch
