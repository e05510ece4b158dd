#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/harness/affine_kernels.h"
#include "workloads/harness/handles.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

// The data of cases that only run kernels. They are regions of device memory with the pattern, and
// a record of the maps applied to each region. The maps do not commute, so that a wrong order gives
// a wrong result.
class ChainWork {
 public:
  ChainWork(std::size_t regions, std::size_t elements);

  // Returns the number of iterations over `elements` elements that makes a launch of `grid` take
  // `us`. Measures it by short launches on the first region. Waits for the GPU.
  std::uint32_t iterations_for(double us, const Grid& grid, std::size_t elements,
                               cudaStream_t stream);

  // Launches the kernel over `count` regions from `region` on.
  void launch(std::size_t region, std::size_t count, AffineMap map, std::uint32_t iterations,
              const Grid& grid, cudaStream_t stream);

  // Notes that other launches apply `map` to `count` regions, `times` times.
  void note(std::size_t region, std::size_t count, AffineMap map, std::uint64_t times);

  const ChainKernel& kernel() const { return kernel_; }
  std::uint32_t* data(std::size_t region) const { return data_.data() + region * elements_; }
  std::size_t elements() const { return elements_; }  // In one region.

  // Throws std::runtime_error unless every region holds the pattern with the noted maps applied.
  // Waits for the GPU.
  void verify() const;

 private:
  std::size_t elements_;
  ChainKernel kernel_;
  DeviceBuffer<std::uint32_t> data_;
  std::vector<AffineMap> applied_;  // To each region, so far.
};

}  // namespace lapscope::workloads::streams
