#pragma once

#include "analyzer/graph/column.h"
#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// When the tasks and steps of a program ran, or would: in ns since the session start. Recorded ones
// are those of the trace, which nobody changes, but for what is inferred beside it: of host
// functions, of which no record tells, and of kernels that began early (Task::began_early).
struct Times {
  Column<Interval> tasks;
  Column<Interval> steps;
};

}  // namespace lapscope::analyzer
