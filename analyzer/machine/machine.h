#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyzer/machine/joined_collectives.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/machine/resource.h"

namespace lapscope::analyzer {

class Multiprocessors;

// The resources of all devices and host threads, and which of them a task needs. Refers to what it
// is given.
class Machine {
 public:
  // The index of a call is the index of its load behind the loads of all tasks.
  Machine(const MachineParameters& machine, const Workload& work, Delays& delays);
  ~Machine();

  using Resources = std::vector<std::unique_ptr<Resource>>;
  const Resources& resources() const { return resources_; }

  // In resources(): what an op needs to run, a host function, and a call.
  std::uint16_t of_op(const Needs& op) const;
  std::uint16_t of_host_function() const { return unlimited_; }
  std::uint16_t of_call() const { return static_cast<std::uint16_t>(unlimited_ + 1); }

  const std::vector<const Multiprocessors*>& multiprocessors() const { return multiprocessors_; }

 private:
  const MachineParameters& machine_;
  std::uint16_t unlimited_;
  Collectives collectives_;
  Resources resources_;
  std::vector<const Multiprocessors*> multiprocessors_;  // by device
};

}  // namespace lapscope::analyzer
