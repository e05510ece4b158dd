#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/analysis/timeline.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

enum class Nesting {
  none,    // one after the other: what overlaps goes to another row
  inside,  // an interval may lie in another one, as calls do
};

// Puts intervals on rows on which slices are well formed, the first that has room, so that what
// overlaps is kept and not closed too early. Returns the row of each interval. Starts ascend; of
// equal starts the longer comes first where they may nest.
//
//   AAAA....      row 0
//   ..BBBB..      row 1, nesting or not: it reaches beyond A
//   .CC.....      row 0 when nesting, in A; else row 1, and B on row 2
std::vector<std::uint32_t> rows_of(std::span<const analyzer::Ns> start,
                                   std::span<const analyzer::Ns> end, Nesting nesting);

// A value from an instant on.
struct Step {
  analyzer::Ns time = 0;
  double value = 0;
};

// How many ops of these lanes are active, over time.
std::vector<Step> active_ops(const std::vector<const analyzer::TimelineLane*>& lanes);

// The bytes per second that the copies of these lanes move, each as if evenly over its time.
std::vector<Step> copy_rate(const std::vector<const analyzer::TimelineLane*>& lanes);

}  // namespace lapscope::reports
