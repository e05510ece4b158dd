#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Compares two groups of iterations of one process. CUPTI recorded the iterations in a capture, but
// not the iterations before the capture. The difference is the time that recording adds to an
// iteration. Differences between processes have no influence.
//
//   step      |-5-| |-5-| |-6-| |-5-| |- 7 -| |- 6 -| |- 7 -| |-
//   recorded                       [capture                        recorded 7, 6: 5 before
//
// The first recorded iteration is left out, because a part of it may not be recorded. Iterations
// that were never closed are left out, too. The row says that the groups are alike if their middle
// halves, from the lower to the upper quartile, overlap.
//
// Returns a health row with the name of the range. For each group, the row has the number of
// iterations and the quartiles in ns. Returns nothing if a group has fewer than
// assumed::enough_examples iterations.
std::optional<HealthRow> iteration_pace(const Trace& trace);

// Ranges, and how long they take if nothing is recorded.
struct ComparedRanges {
  std::vector<NvtxRange> ranges;
  BareWall bare;
};

// Returns the recorded iterations that iteration_pace() compares. `bare` compares the sum of their
// lengths with the sum for the same number of unrecorded iterations. `least_ns`, `median_ns` and
// `most_ns` are this number multiplied by the lower quartile, the median and the upper quartile of
// the unrecorded iterations. `runs` is how many unrecorded iterations the trace has.
std::optional<ComparedRanges> paced_iterations(const Trace& trace);

}  // namespace lapscope::analyzer
