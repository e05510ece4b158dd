#pragma once

#include "analyzer/graph/parameters.h"
#include "analyzer/graph/program.h"
#include "analyzer/graph/times.h"

namespace lapscope::analyzer {

// A program, the times of one run of it, and the parameters measured from that run.
struct Graph : Program, Parameters {
  Times times;
};

// Returns the part of a graph that the simulated machine runs. Holds references to both arguments.
inline Workload workload_of(const Program& program, const Parameters& parameters) {
  return {program.tasks.values(), parameters.lengths.values(),
          program.steps.values(), program.streams,
          program.ranks,          program.collectives};
}

// The time that recording adds to a call and to the time before the call, in ns. `call` lies at the
// end of the call, and is at most the recorded length of the call. `before` lies directly after the
// thread's previous call, and is at most the time between the two calls.
struct Charge {
  std::int32_t call = 0;
  std::int32_t before = 0;
};

}  // namespace lapscope::analyzer
