#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Compares the iterations that CUPTI recorded in a capture with the iterations before the capture,
// which it did not record. The difference is the time that recording adds to an iteration. All
// iterations are from one process, so differences between processes have no influence.
//
//   step      |-5-| |-5-| |-6-| |-5-| |- 7 -| |- 6 -| |- 7 -| |-
//   recorded                       [capture                        recorded: 7, 6, 7; before: 5, 5,
//   6
//
// The first recorded iteration is left out, because a part of it may not be recorded. Iterations
// that were never closed are left out, too. The health row says whether the recorded iterations
// were slower or faster than the unrecorded ones. If the ranges from lower to upper quartile
// overlap, the row says that recorded and unrecorded iterations are alike.
//
// Returns a health row with the name of the NVTX range. The row has the number of iterations and
// the quartiles in ns, with and without recording. Returns nothing if there are fewer than
// assumed::enough_examples iterations with or without recording.
std::optional<HealthRow> iteration_pace(const Trace& trace);

// Recorded ranges, and how long they take without recording.
struct ComparedRanges {
  std::vector<NvtxRange> ranges;
  BareWall bare;
};

// Returns the recorded iterations that iteration_pace() compares. Let n be their number. In `bare`,
// `least_ns`, `median_ns` and `most_ns` estimate the total time of n unrecorded iterations. They
// are n times the lower quartile, the median and the upper quartile of one unrecorded iteration.
// `runs` is the number of unrecorded iterations in the trace.
std::optional<ComparedRanges> paced_iterations(const Trace& trace);

}  // namespace lapscope::analyzer
