#pragma once

#include "analyzer/graph/column.h"
#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// When the tasks and steps of a program ran, or would run, in ns since the session start. Recorded
// times are those of the trace, with two exceptions. The times of host functions are inferred,
// because no record has them. The starts of kernels that began early are inferred as well
// (Task::began_early).
struct Times {
  Column<Interval> tasks;
  Column<Interval> steps;
};

}  // namespace lapscope::analyzer
