#pragma once

#include <cstdint>
#include <functional>

#include "workloads/harness/affine_kernels.h"
#include "workloads/harness/calibration.h"
#include "workloads/harness/handles.h"
#include "workloads/streams/suite/case.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

// Sets the times of a tile's copies; see harness/calibration.h.
void measure_copies(PartTimes& parts, const Shape& shape,
                    const std::function<void()>& launch_kernel = {});

// Calls `once` six times and returns the median of the last five results. The first call may
// include set-up by CUDA. Other programs may disturb one of the later calls, so a median is used.
double warm_median(const std::function<double()>& once);

// Sets `launch_us` and `round_trip_us`. Each is the smallest of three measured times.
void measure_round_trip(PartTimes& parts);

// The kernel that computes on a tile. Its length is about `Shape::kernel_us`.
class TileKernel {
 public:
  // Loads the kernel on the current device.
  explicit TileKernel(const Setting& setting, AffineKernel::Waves waves = AffineKernel::Waves::one);

  // Chooses the number of iterations. Returns how long the kernel then takes alone, in us.
  // Overwrites `data`, which must have room for a tile. Waits for the GPU.
  double calibrate(std::uint32_t* data, cudaStream_t stream);

  // Launches the kernel on a whole tile, in place. Call `calibrate` first, or `adopt`.
  void launch(std::uint32_t* data, cudaStream_t stream) const;
  void adopt(const TileKernel& other) { iterations_ = other.iterations_; }

  // Returns how long the kernel takes alone, in us. Launches it twice, and waits for the GPU.
  double measure(std::uint32_t* data, cudaStream_t stream) const;

  // Returns the map that results from `launches` launches.
  AffineMap map(std::uint64_t launches = 1) const { return power(step, launches * iterations_); }

 private:
  double wanted_us_;
  std::size_t elements_;
  int clock_khz_;
  AffineKernel in_one_wave_;  // Its cycles can be counted.
  AffineKernel kernel_;
  PinnedBuffer<std::uint64_t> cycles_;
  std::uint32_t iterations_ = 0;
};

}  // namespace lapscope::workloads::streams
