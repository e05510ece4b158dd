#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workloads/harness/affine.h"

namespace lapscope::workloads {

// A compute-bound kernel. It applies `map` to each element `iterations` times, in place.
//
// One kernel keeps all integer pipes busy. Two kernels at the same time take as long as two kernels
// one after the other.
class AffineKernel {
 public:
  // The number of waves of blocks in a launch.
  //   one: all blocks run at once. They take half of the threads that the device holds. A small
  //        kernel of another stream then has room.
  //   several: many small blocks, as in a matrix product. Each reserves most of a multiprocessor's
  //        shared memory. While blocks wait for room, other kernels have no room.
  enum class Waves { one, several };

  // Loads the kernel on the current device, so that the first launch loads nothing.
  explicit AffineKernel(int multiprocessors, Waves waves = Waves::one);

  // `data` must be aligned to 16 bytes, and `count` must be a multiple of 4. `cycles` is pinned
  // host memory or null, and gets the clock cycles of the first block. With Waves::one, these are
  // the cycles of the kernel, because all blocks do the same amount of work at the same time.
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

// A latency-bound kernel. Each thread takes one element after the other and applies `map` to it
// `iterations` times. Each step depends on the previous step.
//
// Blocks have few threads, so several blocks on a multiprocessor take as long as one. How many
// blocks run at once depends on the room that they need. Each thread of a launch takes at most
// `count / (blocks * threads)` elements, rounded up. The time of the launch is proportional to this
// number. `count` and the threads per block must be multiples of 32.
class ChainKernel {
 public:
  // Loads the kernels on the current device.
  ChainKernel();

  void launch(std::uint32_t* data, std::size_t count, AffineMap map, std::uint32_t iterations,
              const Grid& grid, cudaStream_t stream) const;

  // Launches a cooperative kernel. It makes `phases` passes over the data. All blocks wait for each
  // other after each pass. The device must have room for all blocks at once.
  void launch_cooperative(std::uint32_t* data, std::size_t count, AffineMap map,
                          std::uint32_t iterations, int phases, const Grid& grid,
                          cudaStream_t stream) const;

  // Launches a persistent kernel. Its blocks take portions of `grid.threads` elements from a queue
  // until the queue is empty. `taken` counts the portions, and `left` counts the blocks that have
  // finished. Both are in device memory and must be 0. The last block sets them to 0 again.
  void launch_persistent(std::uint32_t* data, std::size_t count, AffineMap map,
                         std::uint32_t iterations, const Grid& grid, std::uint32_t* taken,
                         std::uint32_t* left, cudaStream_t stream) const;

  // Returns how much shared memory a block of these kernels can reserve on the current device. A
  // multiprocessor has no room for two blocks with this much.
  static std::size_t most_shared_bytes();
};

}  // namespace lapscope::workloads
