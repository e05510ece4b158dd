#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/model/trace.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

inline constexpr std::string_view profiler_brackets = "cudaProfilerStart/Stop";

// The intervals of each process from cudaProfilerStart (or cuProfilerStart) to the next
// cudaProfilerStop (or cuProfilerStop). An interval without a stop ends with the trace. A second
// start before the stop is ignored, and so is a stop without a start.
struct ProfilerBrackets {
  std::vector<ProcessStretches> processes;
  std::int64_t count = 0;
};

ProfilerBrackets find_profiler_brackets(const Trace& trace);

}  // namespace lapscope::analyzer
