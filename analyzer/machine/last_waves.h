#pragma once

#include <cstdint>
#include <unordered_map>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"

namespace lapscope::analyzer {

// The last waves of the kernels of one device. A kernel may start in the last wave of another
// kernel. start() returns how long such a kernel takes, and the room that its own last wave leaves.
// With Sharing::most, a last wave leaves only the room that it left in the trace.
//
// The constructor's arguments must outlive this object.
class LastWaves {
 public:
  LastWaves(const MachineParameters& machine, const Workload& work)
      : machine_(machine), work_(work) {}

  // The last wave of a kernel may leave more room than it left in the trace. Returns this
  // additional room, in ns of the kernel's work. Returns 0 in these cases:
  // - The additional room is at most `dealing_out`.
  // - The trace shows all room that the last wave leaves (is_room_seen).
  // - The kernel belongs to a collective.
  // - The shape of the kernel is not known.
  double spare(std::uint32_t task) const;

  // Whether some kernel is in its last wave and leaves room to other kernels.
  bool is_under_way(Ns now) const { return now < latest_.end; }
  // Returns the course of a kernel that starts now. `latency`: the delay between finding room and
  // starting. It matters only if is_under_way().
  Course start(std::uint32_t task, Ns now, Ns latency);
  // Notes that the last wave of a started kernel leaves room to other kernels from `now` on.
  void begin_last_wave(std::uint32_t task, Ns now);

 private:
  // The time in which a kernel's last wave leaves room. It ends with the kernel. `left` is the room
  // for other kernels, in waves of the kernel's own blocks.
  struct LastWave {
    Ns begin = 0;
    Ns end = 0;
    double left = 0;
    std::uint32_t kernel_class = no_index;
  };

  const MachineParameters& machine_;
  const Workload work_;
  LastWave latest_;
  std::unordered_map<std::uint32_t, Course> coming_;  // by kernel whose last wave will leave room
};

}  // namespace lapscope::analyzer
