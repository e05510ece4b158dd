#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "analyzer/machine/sm_use.h"
#include "analyzer/machine/workload.h"
#include "analyzer/measures/demand.h"

namespace lapscope::analyzer {

// Only some blocks of `kernel` ran at first, because `holder` occupied the room for the other
// blocks.
struct Crowding {
  std::uint32_t kernel = 0;  // both are indices of tasks
  std::uint32_t holder = 0;
};

// Two shapes, as indices into MachineParameters::uses. In the trace, kernels of the shape `kernel`
// waited for kernels of the shape `holder`. Occupancy would have allowed both kernels to run at the
// same time. A possible reason: the blocks of a cluster need room on multiprocessors of the same
// GPC.
struct KeptOut {
  std::uint32_t kernel = 0;
  std::uint32_t holder = 0;  // its kernel started first

  friend auto operator<=>(const KeptOut&, const KeptOut&) = default;
};

// How the engines of one device affect each other.
struct EngineTraits {
  // For each engine, whether it runs one op at a time. An engine that ran several ops at once in
  // the trace is assumed to run any number at once.
  std::array<bool, all_engines.size()> exclusive{};
  // Rate of a copy between host and device while copies run in both directions. 1 is the rate of a
  // copy that runs alone.
  double both_directions = 1;
  // Whether one engine copies in both directions, so that these copies wait for each other.
  bool one_copy_engine = false;

  bool is_exclusive(Engine engine) const { return exclusive[static_cast<std::size_t>(engine)]; }
  // Returns the rate of an op. 1 is the rate of an op that runs alone. `is_beside`: whether copies
  // run in both directions.
  double rate(Engine engine, bool is_beside) const {
    const bool is_of_link = engine == Engine::h2d || engine == Engine::d2h;
    return is_beside && is_of_link ? both_directions : 1.0;
  }
  // Returns the engine that ops of `engine` really occupy. If one engine copies in both directions,
  // Engine::h2d stands for it, so copies to the host occupy h2d, too.
  Engine occupied_by(Engine engine) const {
    return one_copy_engine && engine == Engine::d2h ? Engine::h2d : engine;
  }
};

// The parameters of a machine that a trace shows.
struct MachineParameters {
  std::vector<SmUse> uses;
  std::vector<Demand> demands;  // by Needs::kernel_class
  Sharing sharing = Sharing::least;
  std::vector<KeptOut> kept_out;     // each pair once
  std::vector<EngineTraits> traits;  // by device in the trace
};

// Returns the share of the device's throughput that a kernel takes while all its blocks run.
// machine.sharing selects the lower or the upper bound of this share. Returns 0 for tasks that are
// not kernels.
inline double demand_of(const MachineParameters& machine, const Needs& task) {
  if (task.kernel_class == no_index) return 0;
  const Demand& demand = machine.demands[task.kernel_class];
  return machine.sharing == Sharing::least ? demand.least : demand.most;
}
// Returns the upper bound minus the lower bound of a kernel's share of the device's throughput.
// Returns 0 for tasks that are not kernels.
inline double doubt_of(const MachineParameters& machine, const Needs& task) {
  if (task.kernel_class == no_index) return 0;
  const Demand& demand = machine.demands[task.kernel_class];
  return demand.most - demand.least;
}

}  // namespace lapscope::analyzer
