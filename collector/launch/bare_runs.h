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

// Records a program, and runs it without CUPTI as often: recorded and bare runs take turns, so that
// a machine that gets slower does so for both. A run that a signal ended is the last one.
//
// The traces of one recorded run are kept: of those that ended as the last one did, the one whose
// NVTX ranges took the median of the time, of an even number the quicker of both. Runs of one
// program differ, by half on some machines, and a trace is to be compared with the median of the
// bare runs. Until then the traces of all runs lie beside each other, as `t.sqlite.run1`. What NVTX
// ranges took on the host in each run is stored in the traces that are kept.
ComparedRecording record_and_compare(const RecordOptions& options, int bare_runs);

}  // namespace lapscope::launch
