#pragma once

#include <cstdint>
#include <unordered_map>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/block_scheduler.h"
#include "analyzer/machine/joined_collectives.h"
#include "analyzer/machine/last_waves.h"
#include "analyzer/machine/resource.h"
#include "analyzer/machine/shared_throughput.h"

namespace lapscope::analyzer {

// The multiprocessors of one device. Kernels start, by priority and in the order in which they
// become ready, when their first block finds room (BlockScheduler). From when all their blocks have
// room they share the throughput (SharedThroughput), and what their last waves leave (LastWaves).
// Those of a collective wait for the others then (Collectives).
//
// Refers to what it is given.
class Multiprocessors : public Resource {
 public:
  // `self`: which resource of the machine this is.
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

  // For how long kernels slowed each other down of which it is not known what they share.
  Ns in_doubt_ns() const { return throughput_.clock().in_doubt_ns(); }
  // What last waves may have left to those that waited for them.
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
  // Kernels of which, when their next so many ends come, only the first blocks have run.
  std::unordered_map<std::uint32_t, std::uint32_t> first_blocks_;
  Ns awaited_wave_ = never;   // its end
  bool shares_anew_ = false;  // since next() was asked
  Ns last_waves_ns_ = 0;
};

}  // namespace lapscope::analyzer
