#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workloads/harness/affine.h"

namespace lapscope::workloads {

// A compute-bound kernel that applies `map` `iterations` times to each element, in place.
//
// The grid takes half of the threads that the device can hold at once: that saturates the integer
// pipes, and a small kernel of another stream still finds room to run beside it. Two of these
// kernels at the same time share the pipes and finish no sooner than one after the other.
class AffineKernel {
 public:
  // Loads the kernel now, so that the first launch does not pay for it.
  explicit AffineKernel(int multiprocessors);

  // `data` must be aligned to 16 bytes and `count` a multiple of 4. The clock cycles that the first
  // block took go to `cycles` (pinned host memory) unless it is null; all blocks do equal work at
  // the same time.
  void launch(std::uint32_t* data, std::size_t count, AffineMap map, std::uint32_t iterations,
              cudaStream_t stream, std::uint64_t* cycles = nullptr) const;

 private:
  unsigned blocks_;
};

}  // namespace lapscope::workloads
