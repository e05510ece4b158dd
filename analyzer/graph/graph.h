#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/graph/column.h"
#include "analyzer/graph/program.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/cause.h"

namespace lapscope::analyzer {

// What delayed a task longest, and the time from the task's release to its start.
struct Binding {
  Cause cause = Cause::unexplained;  // launch_overhead for every delay by the host
  std::uint32_t from = no_index;     // the task that delayed it, or no_index when the host did
  Ns release = never;                // when `from` or the host released the task
  Ns next_release = never;           // the last release by any other cause
  Ns lag = 0;                        // from release to start; at most longest_latency

  friend bool operator==(const Binding&, const Binding&) = default;
};

// The median time from the release of a task to its start, in ns, for each cause and engine.
struct Latencies {
  std::array<std::array<Ns, all_engines.size()>, cause_count> by_cause{};

  Ns of(Cause cause, Engine engine) const {
    return by_cause[static_cast<std::size_t>(cause)][static_cast<std::size_t>(engine)];
  }
};

// The parameters measured from one run of a program.
struct Parameters : MachineParameters {
  Column<Lengths> lengths;  // by task
  // For each task, the time in ns from the start of its call until the call issued the task.
  Column<Ns> issue_offsets;
  Column<Binding> bindings;  // by task
  Latencies latencies;
  Ns quick_call = assumed::quick_call;  // measured if the trace has examples
  std::vector<Crowding> crowded;        // the first pair of kernels for each pair of shapes
  // Whether kernels with unknown demands (Demand) ran beside other kernels.
  bool is_in_doubt = false;
  // If true, a replay must not use the recorded starts of tasks (analyzer/replay/blind.h).
  bool is_blind = false;
  // By task. If true, a replay starts the task without the unexplained part of its delay. A null
  // pointer means false for all tasks.
  std::shared_ptr<const std::vector<bool>> prompt_tasks;
  // The names of the assumptions that replace missing examples in the trace.
  std::set<std::string_view> stand_ins;
};

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
