#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/harness/affine_kernels.h"
#include "workloads/harness/handles.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

// The data of cases that only run kernels: regions of device memory with the pattern. The class
// records which maps were applied to each region. Maps in a wrong order give a wrong result.
class ChainWork {
 public:
  ChainWork(std::size_t regions, std::size_t elements);

  // Returns how many iterations over `elements` elements a launch of `grid` must make to take `us`.
  // Measures this with short launches on the first region. Waits for the GPU.
  std::uint32_t iterations_for(double us, const Grid& grid, std::size_t elements,
                               cudaStream_t stream);

  // Launches the kernel on `count` regions from `region` on.
  void launch(std::size_t region, std::size_t count, AffineMap map, std::uint32_t iterations,
              const Grid& grid, cudaStream_t stream);

  // Tells verify() what kernels of other code do. Together, they apply `map` to each of `count`
  // regions `times` times. The first of these regions is `region`.
  void note(std::size_t region, std::size_t count, AffineMap map, std::uint64_t times);

  const ChainKernel& kernel() const { return kernel_; }
  std::uint32_t* data(std::size_t region) const { return data_.data() + region * elements_; }
  std::size_t elements() const { return elements_; }  // In one region.

  // Throws std::runtime_error unless each region has the right contents: the pattern with all noted
  // maps applied. Waits for the GPU.
  void verify() const;

 private:
  std::size_t elements_;
  ChainKernel kernel_;
  DeviceBuffer<std::uint32_t> data_;
  std::vector<AffineMap> applied_;  // To each region, so far.
};

}  // namespace lapscope::workloads::streams
