#pragma once

#include "analyzer/graph/parameters.h"
#include "analyzer/graph/program.h"
#include "analyzer/graph/times.h"

namespace lapscope::analyzer {

// The constraint graph: a program with the times of a run of it, and what was learned from these.
// Cause, blame and prediction all come from it.
struct Graph : Program, Parameters {
  Times times;
};

// What a machine is given of it. Refers to both.
inline Workload workload_of(const Program& program, const Parameters& parameters) {
  return {program.tasks.values(), parameters.lengths.values(),
          program.steps.values(), program.streams,
          program.ranks,          program.collectives};
}

// What recording adds to a call, at its end, and to the time before it, at its begin; in ns, as far
// as they were seen to take so long.
struct Charge {
  std::int32_t call = 0;
  std::int32_t before = 0;
};

}  // namespace lapscope::analyzer
