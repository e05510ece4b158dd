#pragma once

#include "analyzer/graph/column.h"
#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// When the tasks and steps of a program ran, or would run, in ns since the session start. Recorded
// times come from the trace. Two kinds of times are inferred: times of host functions, which no
// record has, and starts of kernels that began early (Task::began_early).
struct Times {
  Column<Interval> tasks;
  Column<Interval> steps;
};

}  // namespace lapscope::analyzer
