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

// The time that recording adds, in ns. `call` is at the end of a call, and at most its recorded
// length. `before` is directly after the thread's previous call, and at most the time between the
// calls.
struct Charge {
  std::int32_t call = 0;
  std::int32_t before = 0;
};

}  // namespace lapscope::analyzer
