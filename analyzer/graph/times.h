#pragma once

#include "analyzer/graph/column.h"
#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// When the tasks and steps of a program ran, or would: in ns since the session start. Recorded
// times are the trace's, which nothing changes, except for what is inferred beside it: times of
// host functions, which no record has, and of kernels that began early (Task::began_early).
struct Times {
  Column<Interval> tasks;
  Column<Interval> steps;
};

}  // namespace lapscope::analyzer
