#pragma once

#include <set>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/observe.h"
#include "analyzer/machine/resource.h"
#include "analyzer/machine/room.h"

namespace lapscope::analyzer {

// The multiprocessors of one device in a recorded run. Kernels start and end as recorded. Notes in
// `seen` which kernel made room for another kernel, and how kernels affected each other. The data
// behind the constructor's arguments must outlive the observer.
class RoomObserver : public Resource, private Room {
 public:
  RoomObserver(const MachineParameters& machine, const Workload& work, const Recorded& recorded,
               Observation& seen)
      : Room(machine, work), recorded_(recorded), seen_(seen) {}

  bool admit(std::uint32_t, Ns) override { return true; }
  void start(std::uint32_t kernel, Ns now) override;
  bool leave(const Event& event) override;

 private:
  Ns end_of(std::uint32_t kernel) const { return recorded_.times[kernel].end; }
  std::uint32_t freed_by(Running& own, Ns release);
  std::uint32_t started_without_room(const Running& own, bool waited);
  void note_last_waves(Ns release);
  std::uint32_t kept_out_by(const Running& own, Ns release);
  void note_who_runs_beside(const Running& own);
  void share(Running& one, const std::vector<std::uint32_t>& holders);
  void set_all_resident(std::uint32_t kernel, Ns others_ended);

  const Recorded& recorded_;
  Observation& seen_;
  std::set<std::uint32_t> opened_;  // shapes whose last waves left room to others
  // Pairs of shapes whose kernels ran together. The kernel of the first shape started while the
  // kernel of the second shape was running.
  std::set<KeptOut> together_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> crowded_;  // shapes: the kernel's, the holder's
  std::uint32_t last_left_ = no_index;
  std::vector<std::uint32_t> last_running_;  // kernels that ran just before last_left_ ended
};

}  // namespace lapscope::analyzer
