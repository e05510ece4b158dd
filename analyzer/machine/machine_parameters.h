#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analyzer/machine/sm_use.h"
#include "analyzer/machine/workload.h"
#include "analyzer/measures/demand.h"

namespace lapscope::analyzer {

// Two kernels of which one started with some of its blocks only, because of the other.
struct Crowding {
  std::uint32_t kernel = 0;  // of the tasks
  std::uint32_t holder = 0;
};

// Shapes of kernels that were seen not to run together though there would be room by occupancy:
// blocks of a cluster, for one, need room close to each other. In MachineParameters::uses.
struct KeptOut {
  std::uint32_t kernel = 0;
  std::uint32_t holder = 0;  // that started first
};

// What one device's engines do to each other.
struct EngineTraits {
  // By engine: two of its ops never run together. An engine that was seen to run several is taken
  // to have room for all.
  std::array<bool, all_engines.size()> exclusive{};
  // How fast copies between host and device go while both directions run, 1 when alone.
  double both_directions = 1;
  // Copies to the host wait for those to the device, and these for them: one engine does both.
  bool one_copy_engine = false;

  bool is_exclusive(Engine engine) const { return exclusive[static_cast<std::size_t>(engine)]; }
  // How fast an op goes, beside what the link carries the other way.
  double rate(Engine engine, bool is_beside) const {
    const bool is_of_link = engine == Engine::h2d || engine == Engine::d2h;
    return is_beside && is_of_link ? both_directions : 1.0;
  }
  // The engine that an op occupies.
  Engine occupied_by(Engine engine) const {
    return one_copy_engine && engine == Engine::d2h ? Engine::h2d : engine;
  }
};

// What a machine is taken to be, as far as it is known from a trace.
struct MachineParameters {
  std::vector<SmUse> uses;
  std::vector<Demand> demands;  // by class of kernels, device by device
  Sharing sharing = Sharing::least;
  std::vector<KeptOut> kept_out;     // each pair once
  std::vector<EngineTraits> traits;  // by device in the trace
};

// What the task takes of its device's throughput while it runs with all its blocks; of what is no
// kernel nothing. At the end that `sharing` is at.
inline double demand_of(const MachineParameters& machine, const Needs& task) {
  if (task.kernel_class == no_index) return 0;
  const Demand& demand = machine.demands[task.kernel_class];
  return machine.sharing == Sharing::least ? demand.least : demand.most;
}
// By how much less it may take.
inline double doubt_of(const MachineParameters& machine, const Needs& task) {
  if (task.kernel_class == no_index) return 0;
  const Demand& demand = machine.demands[task.kernel_class];
  return demand.most - demand.least;
}

}  // namespace lapscope::analyzer
