#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Compares the recorded iterations of a capture with the iterations before the capture, while CUPTI
// recorded nothing. The difference is the time that recording adds to an iteration. Both are
// measured in one process, so differences between processes have no influence.
//
//   step      |-5-| |-5-| |-6-| |-5-| |- 7 -| |- 6 -| |- 7 -| |-
//   recorded                       [capture                        recorded 7, 6: 5 before
//
// The first recorded iteration is left out, because a part of it may not be recorded. Iterations
// that were never closed are left out, too. Iterations are alike if their middle halves overlap.
//
// Returns a health row with the name of the range. For recorded and for unrecorded iterations, the
// row has the number and the quartiles (ns). Returns nothing if one of the numbers is below
// assumed::enough_examples.
std::optional<HealthRow> iteration_pace(const Trace& trace);

// Ranges, and how long they take if nothing is recorded.
struct ComparedRanges {
  std::vector<NvtxRange> ranges;
  BareWall bare;
};

// Returns the recorded iterations that iteration_pace() compares. `bare` compares the sum of their
// lengths with the same number of unrecorded iterations. `median_ns` is a multiple of the median,
// `least_ns` and `most_ns` are multiples of the quartiles. `runs` is the number of unrecorded
// iterations.
std::optional<ComparedRanges> paced_iterations(const Trace& trace);

}  // namespace lapscope::analyzer
