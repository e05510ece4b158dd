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
  std::size_t shared_bytes_ = 0;  // Per block; the block does not use them.
};

// How much of a GPU a launch takes.
struct Grid {
  unsigned blocks = 1;
  unsigned threads = 128;
  std::size_t shared_bytes =
      0;  // Reserved by each block, and with it the room on a multiprocessor.
};

// A kernel bound by latency: each thread applies `map` `iterations` times to one element after the
// other, every application waiting for the one before.
//
// A block has few threads, so that several blocks on one multiprocessor do not slow each other
// down: how many of them run at once depends on their room alone. The time of a launch is that of
// `count / (blocks * threads)` elements, rounded up, in sequence. `count` must be a multiple of 32,
// and so must the threads of a block.
class ChainKernel {
 public:
  // Loads the kernel now, for the current device.
  ChainKernel();

  void launch(std::uint32_t* data, std::size_t count, AffineMap map, std::uint32_t iterations,
              const Grid& grid, cudaStream_t stream) const;

  // The same as a cooperative launch, with a barrier over the whole grid after each of `phases`
  // passes over the data. All blocks must have room at once.
  void launch_cooperative(std::uint32_t* data, std::size_t count, AffineMap map,
                          std::uint32_t iterations, int phases, const Grid& grid,
                          cudaStream_t stream) const;

  // The same as a persistent kernel: the blocks take portions of `grid.threads` elements from a
  // queue until it is empty. `taken`, in device memory, counts the portions and must be 0 at the
  // start; the kernel leaves it at 0 through `left`, which counts the blocks that are done.
  void launch_persistent(std::uint32_t* data, std::size_t count, AffineMap map,
                         std::uint32_t iterations, const Grid& grid, std::uint32_t* taken,
                         std::uint32_t* left, cudaStream_t stream) const;

  // The most shared memory that a block of these kernels can reserve on the current device: two
  // such blocks do not fit on one multiprocessor.
  static std::size_t most_shared_bytes();
};

}  // namespace lapscope::workloads
