#pragma once

#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/machine/room.h"

namespace lapscope::analyzer {

// Decides which kernels of one device run, and which wait for room on its multiprocessors.
class BlockScheduler : public Room {
 public:
  using Room::Room;

  // Adds a kernel to the waiting kernels. `ready`: when the kernel became ready.
  void enqueue(std::uint32_t task, Ns ready);
  struct Admitted {
    std::uint32_t task = no_index;
    bool has_waited = false;
  };
  // Admits the first waiting kernel if there is room for it. If there is no room, or if no kernel
  // waits, the task of the result is no_index.
  Admitted admit(Ns now);
  // Whether a ready kernel waits for room.
  bool is_waited_for() const { return !waiting_.empty(); }
  // The first waiting kernel can find room when a wave of a running kernel with lower priority
  // ends. Returns the next such time. Returns `never` if no kernel waits, or if no kernel with
  // lower priority runs.
  Ns look_again(Ns now) const;
  // Returns the started kernels that lost room to a kernel of higher priority since the last call
  // of take_crowded(). leave() returns such a kernel when all its blocks have room again.
  std::vector<std::uint32_t> take_crowded() { return std::exchange(crowded_, {}); }
  // Starts an admitted kernel. Returns false if some of its blocks lack room. In this case, leave()
  // returns the kernel when all its blocks have room. Returns true for a kernel of unknown shape,
  // and for a kernel with more blocks than fit on the device at once.
  bool start(std::uint32_t task, Ns now);

 private:
  Ns wave_of(const Running& one) const;
  bool is_in_the_way(std::uint32_t task, const Running& other, Ns now) const;
  bool has_room(std::uint32_t task, Ns now) const;
  void crowd(std::uint32_t task, Ns now);

  using Waiting = std::tuple<std::int64_t, Ns, std::uint32_t>;  // priority, ready time, task
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;  // next one on top
  std::vector<std::uint32_t> crowded_;
  mutable std::vector<std::uint32_t> in_the_way_;  // scratch memory of one call
};

}  // namespace lapscope::analyzer
