#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workloads/harness/affine.h"

namespace lapscope::workloads {

// A compute-bound kernel that applies `map` `iterations` times to each element, in place.
//
// Two of these kernels at the same time share the integer pipes, which one saturates, and finish no
// sooner than one after the other.
class AffineKernel {
 public:
  // How many times the grid's blocks fill the device.
  //   one: not quite one time. Half of the threads that it can hold at once do, and a small kernel
  //        of another stream still finds room to run beside it.
  //   several: as of a matrix product, many small blocks, each with most of the shared memory of
  //        its multiprocessor. While some of them wait for room, no other kernel finds any.
  enum class Waves { one, several };

  // Loads the kernel now, for the current device, so that the first launch does not pay for it.
  explicit AffineKernel(int multiprocessors, Waves waves = Waves::one);

  // `data` must be aligned to 16 bytes and `count` a multiple of 4. The clock cycles that the first
  // block took go to `cycles` (pinned host memory) unless it is null; in one wave all blocks do
  // equal work at the same time.
  void launch(std::uint32_t* data, std::size_t count, AffineMap map, std::uint32_t iterations,
              cudaStream_t stream, std::uint64_t* cycles = nullptr) const;

 private:
  unsigned multiprocessors_;
  Waves waves_;
  std::size_t shared_bytes_ = 0;  // Of a block; it does not use them.
};

}  // namespace lapscope::workloads
