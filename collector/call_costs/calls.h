#pragma once

#include <cuda_runtime.h>

#include <array>
#include <functional>
#include <string_view>
#include <vector>

namespace lapscope::call_costs {

struct Time {
  std::string_view kind;  // of collector/schema/call_costs.h
  double ns = 0;
};

// Calls of every kind, and what they take now. Throws std::runtime_error where CUDA fails.
class Calls {
 public:
  // In the current device.
  Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  // Each kind once more, in about 10 ms: the same kinds in the same order every time. The first
  // calls of each are not timed.
  std::vector<Time> turn();

 private:
  using Work = std::function<void()>;
  // Of a launch to an idle device: of the call alone, and until all is done.
  struct GraphTimes {
    double call = 0;
    double done = 0;
  };

  void add(std::string_view kind, const std::vector<Work>& calls, int count);
  void copy(void* to, const void* from);
  void time_memory();
  void time_graphs();
  void time_device();
  cudaGraphExec_t graph_of(int count, const Work& launch);
  GraphTimes times_of(cudaGraphExec_t graph);

  std::vector<Time> times_;  // of this turn
  cudaStream_t stream_{};
  cudaStream_t other_{};
  cudaEvent_t event_{};
  void* pinned_ = nullptr;
  void* device_ = nullptr;
  std::array<char, 4096> pageable_{};
  // Of one node and of many; of kernels that do nothing and of longer ones.
  cudaGraphExec_t one_{}, many_{}, one_spin_{}, many_spins_{};
};

}  // namespace lapscope::call_costs
