#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Compares the iterations that CUPTI recorded in a capture with earlier iterations, which CUPTI did
// not record. The difference is the time that recording adds. All iterations are from one process,
// so differences between processes have no influence.
//
//   step      |-5-| |-5-| |-6-| |-5-| |- 7 -| |- 6 -| |- 7 -| |-       recorded: 7, 6, 7
//   recorded                       [capture                            before:   5, 5, 6
//
// The first recorded iteration is left out, because a part of it may not be recorded. Iterations
// that were never closed are left out, too.
//
// The health row has the name of the NVTX range. For the iterations with recording, and for those
// without, it has their number and the quartiles of their lengths in ns. The kind of the row
// depends on whether the recorded iterations were slower or faster than the others. If the two
// intervals from the lower to the upper quartile overlap, the iterations count as alike. Returns
// nullopt if there are fewer than assumed::enough_examples iterations with or without recording.
std::optional<HealthRow> iteration_pace(const Trace& trace);

// Recorded ranges, and how long they take without recording.
struct ComparedRanges {
  std::vector<NvtxRange> ranges;
  BareWall bare;
};

// Returns the sum of the lengths of ranges. It is longer than their open_time() if they overlap.
Ns total_length(const std::vector<NvtxRange>& ranges);

// Returns the recorded iterations that iteration_pace() compares, and an estimate of their total
// length without recording. For n iterations, ComparedRanges::bare has these values:
// - median_ns: n times the median time of the unrecorded iterations.
// - least_ns, most_ns: n times their lower and upper quartile.
// - runs: the number of unrecorded iterations.
std::optional<ComparedRanges> paced_iterations(const Trace& trace);

}  // namespace lapscope::analyzer
