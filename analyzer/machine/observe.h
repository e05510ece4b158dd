#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/model/cause.h"

namespace lapscope::analyzer {

// When tasks ran.
struct Recorded {
  const std::vector<Interval>& times;  // by task
  std::vector<Ns> released;            // by task: when everything but the machine had let it go
  std::vector<std::uint32_t> ops;      // the tasks that need the machine, by their starts
};

// What a machine that ran as recorded shows.
struct Observation {
  // What had the engine or the room that a task needed.
  struct Blocker {
    std::uint32_t by = no_index;  // the task; no_index where nothing of the kind delayed it
    Ns release = never;           // when that let it go
    Cause cause = Cause::unexplained;
  };
  std::vector<Blocker> blockers;  // by task
  std::vector<Lengths> lengths;   // by task: those that were known, and what kernels showed
  std::vector<Crowding> crowded;  // of each two shapes the first time
  std::vector<KeptOut> kept_out;  // those that were known, too, but for what was seen together
  // Shapes whose last wave was seen to leave nothing, and of which no kernel let another in.
  std::vector<std::uint32_t> without_spare;
};

// Starts tasks on a machine when they were recorded to start, and says what that shows.
Observation observe(const MachineParameters& machine, const Workload& work,
                    const Recorded& recorded);

}  // namespace lapscope::analyzer
