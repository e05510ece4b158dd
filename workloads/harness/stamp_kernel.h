#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>

namespace lapscope::workloads {

// A one-thread kernel that waits for a while, then writes `value` to `*slot`.
//
// It stands for the little bookkeeping kernels of real programs: short, and harmless unless it
// sits in the wrong stream. It waits by the GPU's nanosecond timer, not by counted work, so that
// its length stays the same beside a kernel that saturates the multiprocessor. That timer ticks
// as coarsely as once per microsecond on some GPUs: use it for 10 us and more.
class StampKernel {
 public:
  // Loads the kernel now, so that the first launch does not pay for it.
  StampKernel();

  // `slot` may be device memory or pinned host memory.
  void launch(std::uint32_t* slot, std::uint32_t value, std::chrono::nanoseconds wait,
              cudaStream_t stream) const;
};

}  // namespace lapscope::workloads
