#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/trace.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// What lies between cudaProfilerStart (or cuProfilerStart) and the next cudaProfilerStop of a
// process. A start without a stop lasts to the end; a second start before the stop, and a stop
// without a start, change nothing.
struct ProfilerBrackets {
  std::vector<ProcessStretches> processes;
  std::int64_t count = 0;
};

ProfilerBrackets find_profiler_brackets(const Trace& trace);

}  // namespace lapscope::analyzer
