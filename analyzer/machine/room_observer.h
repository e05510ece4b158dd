#pragma once

#include <array>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/observe.h"
#include "analyzer/machine/room.h"

namespace lapscope::analyzer {

// The multiprocessors of one device as recorded. Call freed_by() for each kernel of the device in
// the order of the starts. It returns the kernel whose end made room. It adds to `seen` how kernels
// affected each other. The data behind the constructor's arguments must outlive the observer.
class RoomObserver {
 public:
  RoomObserver(const MachineParameters& machine, const Workload& work, const Recorded& recorded,
               Observation& seen)
      : machine_(machine), work_(work), recorded_(recorded), seen_(seen) {}

  // Returns the kernel whose end made room for `kernel`; no_index if `kernel` did not wait for
  // room. If `kernel` waited and then started although no room was free, returns the running kernel
  // that ends first. `release`: from this time on, only the lack of room could delay `kernel`. May
  // be `never`.
  std::uint32_t freed_by(std::uint32_t kernel, Ns release);

  // Call this after the last kernel.
  void finish();

 private:
  struct Active {
    std::uint32_t kernel = no_index;
    bool is_partial = false;  // it started with only some of its blocks
    // Shapes of the kernels that ran when this kernel started: the first four of them. Unused
    // elements are no_index.
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
  std::set<std::uint32_t> opened_;  // shapes whose last waves left room to others
  std::set<std::uint32_t> closed_;  // shapes whose last waves left no room to a ready kernel
  std::vector<Active> active_;
  PartialKernels partial_;
  // Pairs of shapes whose kernels ran together. The kernel of the first shape started while the
  // kernel of the second shape was running.
  std::set<std::pair<std::uint32_t, std::uint32_t>> together_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> crowded_;  // shapes: the kernel's, the holder's
  std::uint32_t last_left_ = no_index;
  std::vector<Active> last_running_;  // kernels that ran just before last_left_ ended
};

}  // namespace lapscope::analyzer
