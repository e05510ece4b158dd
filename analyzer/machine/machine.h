#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyzer/machine/joined_collectives.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/machine/resource.h"

namespace lapscope::analyzer {

class Multiprocessors;
struct Observation;
struct Recorded;

// The resources of all devices and host threads. Finds the resource that a task or call needs. The
// constructor's arguments must outlive the machine.
class Machine {
 public:
  // Call c has the index work.tasks.size() + c.
  Machine(const MachineParameters& machine, const Workload& work, Delays& delays);
  // Makes a machine that starts ops as recorded and has no host threads. It notes in `seen` what
  // the recorded times show (observe()).
  Machine(const MachineParameters& machine, const Workload& work, const Recorded& recorded,
          Observation& seen);
  ~Machine();

  using Resources = std::vector<std::unique_ptr<Resource>>;
  const Resources& resources() const { return resources_; }

  // Return the index in resources() of the resource that an op, a host function or a call needs.
  std::uint16_t of_op(const Needs& op) const;
  std::uint16_t of_host_function() const { return unlimited_; }
  std::uint16_t of_call() const { return static_cast<std::uint16_t>(unlimited_ + 1); }

  const std::vector<const Multiprocessors*>& multiprocessors() const { return multiprocessors_; }

 private:
  const MachineParameters& machine_;
  const std::uint16_t unlimited_ = static_cast<std::uint16_t>(2 * machine_.traits.size());
  Collectives collectives_;
  Resources resources_;
  std::vector<const Multiprocessors*> multiprocessors_;  // by device
};

}  // namespace lapscope::analyzer
