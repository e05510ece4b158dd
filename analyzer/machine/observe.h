#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/model/cause.h"

namespace lapscope::analyzer {

// The recorded times of tasks.
struct Recorded {
  const std::vector<Interval>& times;  // by task
  std::vector<Ns> released;            // by task: after this time only the machine could delay it
  std::vector<std::uint32_t> ops;      // tasks that need the machine
};

// What a recorded run shows about its machine.
struct Observation {
  // The task that occupied the engine or the room that another task needed.
  struct Blocker {
    std::uint32_t by = no_index;  // the holder; no_index: no holder delayed the task
    Ns release = never;           // when `by` released it
    Cause cause = Cause::unexplained;
  };
  std::vector<Blocker> blockers;  // by task
  std::vector<Lengths> lengths;   // by task: the given lengths, updated from the recorded run
  std::vector<Crowding> crowded;  // the first case of each pair of shapes
  std::vector<KeptOut> kept_out;  // given and new ones, without pairs that ran together
  // The shapes of kernels whose last waves left no room, as the trace shows: another kernel was
  // waiting for room, but did not start.
  std::set<std::uint32_t> without_spare;
};

// Returns what the recorded times of tasks show about their machine. Simulates the tasks at their
// recorded times, and notes which task occupied the engine or the room that another task needed.
Observation observe(const MachineParameters& machine, const Workload& work,
                    const Recorded& recorded);

}  // namespace lapscope::analyzer
