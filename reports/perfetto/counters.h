#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/timeline.h"

namespace lapscope::reports {

// A value from an instant on.
struct Step {
  std::int64_t time = 0;  // ns
  double value = 0;
};

// How many ops of these lanes are active, over time.
std::vector<Step> active_ops(const std::vector<const analyzer::TimelineLane*>& lanes);

// The bytes per second that the copies of these lanes move, each as if evenly over its time.
std::vector<Step> copy_rate(const std::vector<const analyzer::TimelineLane*>& lanes);

}  // namespace lapscope::reports
