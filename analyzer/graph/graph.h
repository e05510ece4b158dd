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

// The time in ns that recording adds to a call and to the gap before this call.
struct Charge {
  std::int32_t call = 0;    // the last part of the call
  std::int32_t before = 0;  // the first part of the gap
};

}  // namespace lapscope::analyzer
