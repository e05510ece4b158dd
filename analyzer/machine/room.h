#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

// Kernels of which only some blocks run. The other blocks start when the kernels that occupy their
// room have ended, or when the first blocks have ended. The run time of leave() depends on the
// number of kernels that the leaving kernel delays.
class PartialKernels {
 public:
  // Adds a kernel of which only some blocks have room. `holders`: the running kernels that occupy
  // the room that the other blocks of this kernel need.
  void add(std::uint32_t kernel, bool has_started, const std::vector<std::uint32_t>& holders);
  bool has(std::uint32_t kernel) const { return all_.contains(kernel); }
  // Notes that a kernel starts. Returns whether some of its blocks still lack room.
  bool start(std::uint32_t kernel);
  // Frees the room that the running blocks of a kernel K occupy. Removes K from this object, and
  // all kernels that now have room for all their blocks. Returns the removed kernels that have
  // started.
  std::vector<std::uint32_t> leave(std::uint32_t kernel);

 private:
  struct Partial {
    std::uint64_t place = 0;
    std::size_t holders = 0;
    bool has_started = false;
  };
  std::unordered_map<std::uint32_t, Partial> all_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> held_up_;  // by holder
  std::uint64_t added_ = 0;
};

// The kernels that have room on the multiprocessors of one device, and the rules by which they take
// room from each other. The rules are the same whether starts are simulated or recorded. The data
// behind the constructor's arguments must outlive this object.
class Room {
 public:
  Room(const MachineParameters& machine, const Workload& work) : machine_(machine), work_(work) {}

  // Frees all room of a running kernel. Call this function when the kernel ends or its last blocks
  // start. Other kernels that have started may still have blocks without room. Returns those of
  // them whose last blocks get room now.
  std::vector<std::uint32_t> leave(std::uint32_t kernel);

 protected:
  struct Running {
    std::uint32_t kernel = no_index;
    Ns since = 0;
    bool has_started = false;
    bool is_partial = false;  // as recorded: for some time, it ran with only some of its blocks
    std::vector<std::uint32_t> beside;  // the kernels that ran when this kernel got its room
  };

  std::uint32_t shape_of(std::uint32_t kernel) const { return work_.tasks[kernel].geometry; }
  // The shape of the kernel must be known.
  const SmUse& use_of(std::uint32_t kernel) const { return machine_.uses[shape_of(kernel)]; }
  // Whether `kernel` takes room from `other`: it has a higher priority, and the blocks of `other`
  // are still being placed.
  bool crowds(std::uint32_t kernel, const Running& other, Ns now) const {
    return now - other.since <= assumed::dealing_out && goes_first(kernel, other);
  }
  // Whether `other` leaves its room to `kernel` after each wave, because `kernel` has a higher
  // priority.
  bool yields_to(std::uint32_t kernel, const Running& other) const {
    return goes_first(kernel, other) && use_of(other.kernel).fills();
  }
  // How many blocks of `kernel` find room while `others` run.
  Fit fit_beside(std::uint32_t kernel, const std::vector<std::uint32_t>& others) const;
  // Whether a kernel K of this shape was running when `other` started. If true, later kernels of
  // this shape may run in the room of K. They need not wait for `other` (KeptOut).
  bool began_beside(std::uint32_t shape, const Running& other) const;
  std::vector<std::uint32_t> kernels() const;  // those that run

  const MachineParameters& machine_;
  const Workload work_;
  std::vector<Running> running_;  // in the order in which they got room
  PartialKernels partial_;

 private:
  bool goes_first(std::uint32_t kernel, const Running& other) const {
    return work_.streams[work_.tasks[kernel].stream].priority <
           work_.streams[work_.tasks[other.kernel].stream].priority;
  }

  mutable std::vector<const SmUse*> uses_;  // scratch memory of fit_beside()
};

}  // namespace lapscope::analyzer
