#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/host_samples.h"

namespace lapscope::analyzer::nsys {

// The activity of a thread during an interval.
struct Told {
  Interval interval;
  ThreadState state = ThreadState::unknown;
  std::uint32_t chain = CallStacks::none;
};

// Disjoint intervals, ordered by start.
using Layer = std::vector<Told>;

// Makes a layer from intervals in any order. If two intervals overlap, the later interval is
// shortened: it begins where the earlier interval ends.
Layer layer_of(std::vector<Told> intervals);

// Returns the upper layer, with the lower layer in its gaps:
//
//   upper    AAAA      BB
//   lower  ccccccccc  dddd
//   both   ccAAAAccc  dBBd
Layer laid_over(const Layer& upper, const Layer& lower);

// Returns the parts of the layer that lie in `intervals`, which are disjoint and ordered by start.
Layer within(const Layer& layer, const std::vector<Interval>& intervals);

}  // namespace lapscope::analyzer::nsys
