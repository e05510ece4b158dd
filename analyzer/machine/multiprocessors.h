#pragma once

#include <cstdint>
#include <unordered_map>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/block_scheduler.h"
#include "analyzer/machine/joined_collectives.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/machine/resource.h"
#include "analyzer/machine/shared_throughput.h"

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

  // The last wave of a kernel may leave room earlier than in the trace. Returns by how much, in ns
  // of the kernel's work. Returns 0 in these cases:
  // - The difference is at most `dealing_out`.
  // - The trace shows all room that the last wave leaves (is_room_seen).
  // - The kernel belongs to a collective.
  // - The shape of the kernel is not known.
  double spare(std::uint32_t task) const;

  // Whether some kernel is in its last wave and leaves room to other kernels.
  bool is_under_way(Ns now) const { return now < latest_.end; }
  // Returns the course of a kernel that starts now. `latency`: the delay between finding room and
  // starting. This delay matters only if is_under_way().
  Course start(std::uint32_t task, Ns now, Ns latency);
  // Notes that the last wave of a started kernel leaves room to other kernels from `now` on.
  void begin_last_wave(std::uint32_t task, Ns now);

 private:
  // The time in which a kernel's last wave leaves room.
  struct LastWave {
    Ns begin = 0;
    Ns end = 0;       // the end of the kernel
    double left = 0;  // Course::waves_left of the kernel
    std::uint32_t kernel_class = no_index;
  };

  const MachineParameters& machine_;
  const Workload work_;
  LastWave latest_;
  std::unordered_map<std::uint32_t, Course> coming_;  // by kernel whose last wave will leave room
};

// The multiprocessors of one device. A kernel starts when its first block finds room. Waiting
// kernels start by priority, then in the order in which they became ready (BlockScheduler). When
// all blocks of a kernel have room, the kernel shares the throughput with other kernels
// (SharedThroughput). Its last wave may leave room to other kernels (LastWaves). A kernel of a
// collective waits for the other ranks (Collectives).
//
// The data behind the constructor's arguments must outlive this object.
class Multiprocessors : public Resource {
 public:
  // `self`: the index of this resource in Machine::resources().
  Multiprocessors(std::uint32_t self, const MachineParameters& machine, const Workload& work,
                  Delays& delays, Collectives& collectives)
      : self_(self),
        machine_(machine),
        work_(work),
        delays_(delays),
        collectives_(collectives),
        scheduler_(machine, work),
        last_waves_(machine, work) {}

  bool admit(std::uint32_t task, Ns now) override;
  void start(std::uint32_t task, Ns now) override;
  std::optional<Event> next(Ns now) override;
  bool leave(const Event& event) override;
  bool go_on_without(Ns now) override { return collectives_.give_up(now); }

  // Returns the time, in ns, in which kernels slowed each other down by an unknown amount.
  Ns in_doubt_ns() const { return throughput_.clock().in_doubt_ns(); }
  // Returns the sum of LastWaves::spare() in ns. Considers each kernel that ended while another
  // kernel waited for room.
  Ns last_waves_ns() const { return last_waves_ns_; }

 private:
  void serve(Ns now);
  void run_with_all_blocks(std::uint32_t task, Ns now);
  void make_room(std::uint32_t task, Ns now);
  bool is_due(const Event& event);
  bool end(const Event& event);
  void share(std::uint32_t task, Ns now);
  void stop_sharing(std::uint32_t task, Ns now);

  const std::uint32_t self_;
  const MachineParameters& machine_;
  const Workload work_;
  Delays& delays_;
  Collectives& collectives_;
  BlockScheduler scheduler_;
  SharedThroughput throughput_;
  LastWaves last_waves_;
  // For each kernel that lost room after its start: the number of pending events for the end of its
  // first blocks. These events do not end the kernel.
  std::unordered_map<std::uint32_t, std::uint32_t> first_blocks_;
  Ns awaited_wave_ = never;   // the announced end of a wave
  bool shares_anew_ = false;  // kernels began or ceased to share since the last call of next()
  Ns last_waves_ns_ = 0;
};

}  // namespace lapscope::analyzer
