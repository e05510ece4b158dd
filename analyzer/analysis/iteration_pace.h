#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Compares two groups of iterations of one process. CUPTI recorded the iterations in a capture, but
// not the iterations before the capture. The groups differ by the time that recording adds to an
// iteration. Both groups are from one process, so differences between processes have no influence.
//
//   step      |-5-| |-5-| |-6-| |-5-| |- 7 -| |- 6 -| |- 7 -| |-
//   recorded                       [capture                        recorded 7, 6: 5 before
//
// The first recorded iteration is left out, because a part of it may not be recorded. Iterations
// that were never closed are left out, too. The middle half of a group reaches from the lower to
// the upper quartile. If the middle halves overlap, the health row says that the groups are alike.
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

// Returns the recorded iterations that iteration_pace() compares. Let n be their number. `bare`
// compares the sum of their lengths with n unrecorded iterations: `least_ns`, `median_ns` and
// `most_ns` are n times the lower quartile, the median and the upper quartile of the unrecorded
// iterations. `runs` is the number of unrecorded iterations in the trace.
std::optional<ComparedRanges> paced_iterations(const Trace& trace);

}  // namespace lapscope::analyzer
