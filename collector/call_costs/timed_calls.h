#pragma once

#include <cuda_runtime.h>

#include <array>
#include <functional>
#include <string_view>
#include <vector>

namespace lapscope::call_costs {

struct Time {
  std::string_view kind;  // of collector/schema/call_cost_kinds.h
  double ns = 0;
};

// Calls of every kind, and what they take now. Throws std::runtime_error where CUDA fails.
class Calls {
 public:
  // In the current device.
  Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  // Each kind once more, in about 14 ms: the same kinds in the same order every time. The first
  // calls of each are not timed.
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
  // Medians of several launches to an idle device: what the call takes, and what is between marks.
  double call_of(cudaGraphExec_t graph);
  double between_marks(cudaGraphExec_t graph);

  std::vector<Time> times_;  // of this turn
  cudaStream_t stream_{};
  cudaStream_t other_{};
  cudaEvent_t event_{};
  void* pinned_ = nullptr;
  unsigned long long* marks_ = nullptr;  // two instants, by the device's clock
  void* device_ = nullptr;
  std::array<char, 4096> pageable_{};
  // Graphs of one node and of many nodes that do nothing; graphs of longer kernels, alone and
  // between marks.
  cudaGraphExec_t one_{}, many_{}, one_spin_{}, marked_spin_{}, marked_spins_{};
};

}  // namespace lapscope::call_costs
