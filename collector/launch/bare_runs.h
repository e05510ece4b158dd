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
  Recording recording;  // of the last recorded run
  std::vector<Run> runs;
  std::string trouble;  // a sentence when runs are missing, or could not be told in the traces
};

// Records a program, and runs it without CUPTI as often: recorded and bare runs take turns, so that
// a machine that gets slower does so for both. What NVTX ranges took on the host in each of them is
// stored in the traces of the last recorded run, which replace those before. A run that a signal
// ended is the last one.
ComparedRecording record_and_compare(const RecordOptions& options, int bare_runs);

}  // namespace lapscope::launch
