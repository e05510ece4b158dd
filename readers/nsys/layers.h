#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/host_samples.h"

namespace lapscope::analyzer::nsys {

// What a thread did in an interval.
struct Told {
  Interval interval;
  ThreadState state = ThreadState::unknown;
  std::uint32_t chain = CallStacks::none;
};

// By start, disjoint.
using Layer = std::vector<Told>;

// Makes a layer from intervals in any order that may overlap: the one that began first counts until
// it ends.
Layer layer_of(std::vector<Told> intervals);

// The upper layer, and of the lower one what it leaves:
//
//   upper    AAAA      BB
//   lower  ccccccccc  dddd
//   both   ccAAAAccc  dBBd
Layer laid_over(const Layer& upper, const Layer& lower);

// What lies in intervals that are disjoint and by start.
Layer within(const Layer& layer, const std::vector<Interval>& intervals);

}  // namespace lapscope::analyzer::nsys
