#pragma once

#include <array>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/observe.h"
#include "analyzer/machine/room.h"

namespace lapscope::analyzer {

// The multiprocessors of one device as recorded. It is given the device's kernels in the order of
// their starts, returns whose end made room for each, and adds to an observation what kernels do to
// each other. Refers to its arguments.
class RoomObserver {
 public:
  RoomObserver(const MachineParameters& machine, const Workload& work, const Recorded& recorded,
               Observation& seen)
      : machine_(machine), work_(work), recorded_(recorded), seen_(seen) {}

  // The kernel whose end made room for this one, or, when it started while another one still takes
  // all, that one. no_index when there was room anyhow. `release`: when everything else had let it
  // go, or never.
  std::uint32_t freed_by(std::uint32_t kernel, Ns release);

  // Call this after the last kernel.
  void finish();

 private:
  struct Active {
    std::uint32_t kernel = no_index;
    bool is_partial = false;  // it started with some of its blocks
    // Shapes that ran when it started, no_index where there was none; of more than these the first.
    std::array<std::uint32_t, 4> beside{};
  };

  std::uint32_t shape_of(std::uint32_t kernel) const { return work_.tasks[kernel].geometry; }
  const SmUse& use_of(std::uint32_t kernel) const { return machine_.uses[shape_of(kernel)]; }
  Ns end_of(std::uint32_t kernel) const { return recorded_.times[kernel].end; }
  std::vector<const SmUse*> uses_of(const std::vector<Active>& kernels) const;
  std::uint32_t started_without_room(std::uint32_t kernel, bool waited);
  void note_last_waves(Ns release);
  std::uint32_t kept_out_by(std::uint32_t kernel, Ns release);
  std::array<std::uint32_t, 4> shapes_running() const;
  void note_who_runs_beside(std::uint32_t kernel);
  void share(std::uint32_t kernel, const std::vector<std::uint32_t>& holders);
  void leave(Ns now);
  void set_all_resident(std::uint32_t kernel, Ns others_ended);

  const MachineParameters& machine_;
  const Workload work_;
  const Recorded& recorded_;
  Observation& seen_;
  std::set<std::uint32_t> opened_;  // shapes whose kernels were seen to let others in
  std::set<std::uint32_t> closed_;  // likewise not to, though another one was there in time
  std::vector<Active> active_;
  PartialKernels partial_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> together_;  // likewise, though it had started
  std::set<std::pair<std::uint32_t, std::uint32_t>> crowded_;  // shapes: the kernel's, the holder's
  std::uint32_t last_left_ = no_index;
  std::vector<Active> last_running_;  // just before it ended
};

}  // namespace lapscope::analyzer
