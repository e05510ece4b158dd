#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/harness/affine_kernels.h"
#include "workloads/harness/handles.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

// The data of the cases that are about kernels alone: regions of device memory that hold the
// pattern, and a record of every map that was applied to each. The maps do not commute, so that a
// wrong order is a wrong result.
class ChainWork {
 public:
  ChainWork(std::size_t regions, std::size_t elements);

  // How many iterations over `elements` elements make a launch of `grid` last `us`, measured now in
  // three short launches on the first region. Waits.
  std::uint32_t iterations_for(double us, const Grid& grid, std::size_t elements,
                               cudaStream_t stream);

  // A launch over `count` regions, from `region` on.
  void launch(std::size_t region, std::size_t count, AffineMap map, std::uint32_t iterations,
              const Grid& grid, cudaStream_t stream);

  // For launches by other means: notes that `map` is applied `times` times to `count` regions.
  void note(std::size_t region, std::size_t count, AffineMap map, std::uint64_t times);

  const ChainKernel& kernel() const { return kernel_; }
  std::uint32_t* data(std::size_t region) const { return data_.data() + region * elements_; }
  std::size_t elements() const { return elements_; }  // In one region.

  // Throws std::runtime_error unless every region is what the noted maps make of the pattern.
  // Waits.
  void verify() const;

 private:
  std::size_t elements_;
  ChainKernel kernel_;
  DeviceBuffer<std::uint32_t> data_;
  std::vector<AffineMap> applied_;  // To each region, so far.
};

}  // namespace lapscope::workloads::streams
