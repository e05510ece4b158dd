#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workloads/harness/affine.h"

namespace lapscope::workloads {

// A compute-bound kernel that applies `map` `iterations` times to each element, in place.
//
// One kernel saturates the integer pipes. Two kernels at the same time share the pipes, and take as
// long as two kernels in sequence.
class AffineKernel {
 public:
  // The number of times that the grid fills the device.
  //   one: less than once. The grid takes half of the threads that the device holds. A small
  //        kernel of another stream then has room.
  //   several: many small blocks, as in a matrix product. Each reserves most of a multiprocessor's
  //        shared memory. While blocks wait for room, other kernels have no room.
  enum class Waves { one, several };

  // Loads the kernel on the current device, so that the first launch does not include loading.
  explicit AffineKernel(int multiprocessors, Waves waves = Waves::one);

  // `data` must be aligned to 16 bytes, and `count` must be a multiple of 4. The clock cycles of
  // the first block are written to `cycles`, which is pinned host memory or null. With Waves::one,
  // all blocks do equal work at the same time.
  void launch(std::uint32_t* data, std::size_t count, AffineMap map, std::uint32_t iterations,
              cudaStream_t stream, std::uint64_t* cycles = nullptr) const;

 private:
  unsigned multiprocessors_;
  Waves waves_;
  std::size_t shared_bytes_ = 0;  // Per block; reserved only, not used.
};

// The part of a GPU that a launch takes.
struct Grid {
  unsigned blocks = 1;
  unsigned threads = 128;
  std::size_t shared_bytes =
      0;  // Reserved by each block: limits how many blocks fit on a multiprocessor.
};

// A latency-bound kernel: each thread applies `map` `iterations` times to one element after the
// other. Each application depends on the result of the one before.
//
// Several blocks on a multiprocessor take as long as one, because blocks have few threads. The room
// that blocks need limits how many run at once. A launch takes the time of `count / (blocks *
// threads)` elements in sequence, rounded up. `count` and the threads per block must be multiples
// of 32.
class ChainKernel {
 public:
  // Loads the kernels on the current device.
  ChainKernel();

  void launch(std::uint32_t* data, std::size_t count, AffineMap map, std::uint32_t iterations,
              const Grid& grid, cudaStream_t stream) const;

  // Launches cooperatively. The kernel makes `phases` passes over the data, with a grid-wide
  // barrier after each pass. The device must have room for all blocks at once.
  void launch_cooperative(std::uint32_t* data, std::size_t count, AffineMap map,
                          std::uint32_t iterations, int phases, const Grid& grid,
                          cudaStream_t stream) const;

  // Launches a persistent kernel. Blocks take portions of `grid.threads` elements from a queue
  // until it is empty. `taken` counts portions, and `left` counts finished blocks. Both lie in
  // device memory and must be 0. The last block resets them to 0.
  void launch_persistent(std::uint32_t* data, std::size_t count, AffineMap map,
                         std::uint32_t iterations, const Grid& grid, std::uint32_t* taken,
                         std::uint32_t* left, cudaStream_t stream) const;

  // Returns the most shared memory that a block of these kernels can reserve on the current device.
  // Two blocks with this much memory do not fit a multiprocessor.
  static std::size_t most_shared_bytes();
};

}  // namespace lapscope::workloads
