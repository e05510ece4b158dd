#pragma once

#include <cuda_runtime.h>

#include <array>
#include <functional>
#include <string_view>
#include <vector>

namespace lapscope::call_costs {

struct Time {
  std::string_view kind;  // one of collector/schema/call_cost_kinds.h
  double ns = 0;
};

// Makes CUDA calls of every kind and times them. Throws std::runtime_error if CUDA fails.
class Calls {
 public:
  // Uses the current device.
  Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  // Times each kind of call once more, in about 20 ms. Each kind gets warm-up calls first. All
  // turns return the same kinds in the same order.
  std::vector<Time> turn();

 private:
  using Work = std::function<void()>;

  void add(std::string_view kind, const std::vector<Work>& calls, int count);
  void copy(void* to, const void* from);
  void set_memory();
  void time_cold_calls();
  void time_memory();
  void time_graphs();
  void time_device();
  cudaGraphExec_t graph_of(int count, const Work& launch);
  // call_of() returns the host time of a launch of the graph. between_marks() returns the time
  // between the two marks of the graph, by the device's clock. Both times are in ns. They are
  // medians of several launches. The device is idle before each launch.
  double call_of(cudaGraphExec_t graph);
  double between_marks(cudaGraphExec_t graph);
  // Enqueues `op` many times. Returns the time of all these ops by the device's clock, divided by
  // their number, in ns.
  double on_device(const Work& op);

  std::vector<Time> times_;  // of this turn
  cudaStream_t stream_{};
  cudaStream_t other_{};
  cudaEvent_t event_{};
  void* pinned_ = nullptr;
  unsigned long long* marks_ = nullptr;  // two readings of the device's clock, in ns
  void* device_ = nullptr;
  std::array<char, 4096> pageable_{};
  // Graphs. `one_` has one empty kernel, `many_` has many, and `one_spin_` has one spinning kernel.
  // `marked_spin_` has one spinning kernel between two marks, and `marked_spins_` has many.
  cudaGraphExec_t one_{}, many_{}, one_spin_{}, marked_spin_{}, marked_spins_{};
};

}  // namespace lapscope::call_costs
