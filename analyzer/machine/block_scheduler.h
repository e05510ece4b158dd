#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/machine/room.h"

namespace lapscope::analyzer {

// Which kernels of one device run, and which wait for room on its multiprocessors. Refers to what
// it is given.
class BlockScheduler {
 public:
  BlockScheduler(const MachineParameters& machine, const Workload& work)
      : machine_(machine), work_(work) {}

  // A kernel that has become ready waits here.
  void enqueue(std::uint32_t task, Ns ready);
  struct Admitted {
    std::uint32_t task = no_index;
    bool has_waited = false;
  };
  // Takes the next kernel that finds room and makes it run; no_index when there is none.
  Admitted admit(Ns now);
  // Whether a kernel is ready and finds no room.
  bool is_waited_for() const { return !waiting_.empty(); }
  // When the next kernel may find room though none ends: at the end of a wave of one of lower
  // priority. `never` when not.
  Ns look_again(Ns now) const;
  // Kernels that have started and of which only the first blocks run since the last call, because a
  // kernel that was admitted went first; leave() says when they have room for all.
  std::vector<std::uint32_t> take_crowded() { return std::exchange(crowded_, {}); }
  // The kernel that was admitted starts now. Whether it has room for all its blocks, or more blocks
  // than ever fit at once. If not, leave() says when it has.
  bool start(std::uint32_t task, Ns now);
  // A running kernel leaves all its room: when it ends, or when its last blocks have started. Those
  // that have started and now have room for all their blocks.
  std::vector<std::uint32_t> leave(std::uint32_t task);

 private:
  struct Running {
    std::uint32_t task = no_index;
    Ns since = 0;
    bool has_started = false;
    // Shapes that ran when it started: it left their room alone, even if it keeps them out.
    std::vector<std::uint32_t> beside;
  };

  Ns wave_of(const Running& one) const;
  bool is_in_the_way(std::uint32_t task, const Running& other, Ns now) const;
  bool has_room(std::uint32_t task, Ns now) const;
  void crowd(std::uint32_t task, Ns now);
  std::vector<std::uint32_t> shapes_running() const;
  bool has_no_room_beside(std::uint32_t shape, const Running& other) const;
  const SmUse& use_of(std::uint32_t task) const;  // of a kernel whose shape is known

  const MachineParameters& machine_;
  const Workload work_;
  // Priority, ready, task: a heap with the next one first.
  std::vector<std::tuple<std::int64_t, Ns, std::uint32_t>> waiting_;
  std::vector<Running> running_;
  PartialKernels partial_;
  std::vector<std::uint32_t> crowded_;
  mutable std::vector<const SmUse*> in_the_way_;  // used within a call only
};

}  // namespace lapscope::analyzer
