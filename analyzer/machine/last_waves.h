#pragma once

#include <cstdint>
#include <unordered_map>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"

namespace lapscope::analyzer {

// The last waves of the kernels of one device: how long each takes, when it lets others in, and
// which part of their own blocks those begin there (Course). Where Sharing is `most`, kernels leave
// nothing but what they were seen to leave.
//
// Refers to what it is given.
class LastWaves {
 public:
  LastWaves(const MachineParameters& machine, const Workload& work)
      : machine_(machine), work_(work) {}

  // What the last wave of a kernel may leave to others beyond what it was seen to, in ns of its
  // work. 0 where so little does not count, and of all but kernels whose shape is known.
  double spare(std::uint32_t task) const;

  // Whether a kernel has let others in and has not ended.
  bool is_under_way(Ns now) const { return now < latest_.end; }
  // The course of a kernel that starts now. `latency`: from the instant that there is room for it
  // to its start; counts where a last wave is under way.
  Course start(std::uint32_t task, Ns now, Ns latency);
  // One that has started lets others in from now on.
  void begin_last_wave(std::uint32_t task, Ns now);

 private:
  // From when others find room until the kernel ends, and for how many waves of its own blocks.
  struct LastWave {
    Ns begin = 0;
    Ns end = 0;
    double left = 0;
    std::uint32_t kernel_class = no_index;
  };

  const MachineParameters& machine_;
  const Workload work_;
  LastWave latest_;
  std::unordered_map<std::uint32_t, Course> coming_;  // of kernels that will let others in
};

}  // namespace lapscope::analyzer
