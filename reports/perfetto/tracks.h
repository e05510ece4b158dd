#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/analysis/timeline.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

enum class Nesting {
  none,    // overlapping intervals go to different rows
  inside,  // an interval may contain others in its row, as calls do
};

// Returns the row of each interval: the first row with room. Slices of a row may nest, but never
// overlap in part: Perfetto would drop such slices or close them too early. Starts must ascend. If
// intervals may nest and two starts are equal, the longer interval must come first.
//
//               if intervals may nest     if they may not
//   AAAA....    row 0                     row 0
//   .BB.....    row 0, within A           row 1
//   ..CCCC..    row 1: it ends after A    row 2: it overlaps A and B
std::vector<std::uint32_t> rows_of(std::span<const analyzer::Ns> start,
                                   std::span<const analyzer::Ns> end, Nesting nesting);

// A value that holds from an instant on.
struct Step {
  analyzer::Ns time = 0;
  double value = 0;
};

// Returns the number of active ops in these lanes over time.
std::vector<Step> active_ops(const std::vector<const analyzer::TimelineLane*>& lanes);

// Returns the bytes per second of all copies in these lanes over time. A copy is assumed to move
// its bytes at a constant rate.
std::vector<Step> copy_rate(const std::vector<const analyzer::TimelineLane*>& lanes);

}  // namespace lapscope::reports
