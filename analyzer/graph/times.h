#pragma once

#include "analyzer/graph/column.h"
#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// When tasks and steps ran, or would run, in ns since the session start. Two kinds of times are not
// recorded but inferred: the times of host functions, and the starts of kernels that began early
// (Task::began_early).
struct Times {
  Column<Interval> tasks;
  Column<Interval> steps;
};

}  // namespace lapscope::analyzer
