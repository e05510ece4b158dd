#pragma once

#include <cstdint>
#include <functional>

#include "workloads/harness/affine_kernels.h"
#include "workloads/harness/calibration.h"
#include "workloads/harness/handles.h"
#include "workloads/streams/suite/case.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

// Fills in what copies of a tile take; see harness/calibration.h.
void measure_copies(PartTimes& parts, const Shape& shape,
                    const std::function<void()>& launch_kernel = {});

// The median of five measurements of `once`, after one that is left out: the first calls of a
// process, or of a kind, set things up, and a single later one may be disturbed.
double warm_median(const std::function<double()>& once);

// Fills in what a launch takes, and a launch with the wait for it. Three launches.
void measure_round_trip(PartTimes& parts);

// The kernel that computes on a tile, made as long as the shape wants it.
class TileKernel {
 public:
  // Loads the kernel, for the current device.
  explicit TileKernel(const Setting& setting, AffineKernel::Waves waves = AffineKernel::Waves::one);

  // Decides on the number of iterations, and returns how long the kernel then takes alone, in us.
  // `data` has room for a tile and is overwritten. Waits.
  double calibrate(std::uint32_t* data, cudaStream_t stream);

  // On a whole tile, in place. Call `calibrate` first, on this kernel or on the one given to
  // `adopt`.
  void launch(std::uint32_t* data, cudaStream_t stream) const;
  void adopt(const TileKernel& other) { iterations_ = other.iterations_; }

  // How long it takes alone, in us. Launches it twice, and waits.
  double measure(std::uint32_t* data, cudaStream_t stream) const;

  // What `launches` launches make of each element.
  AffineMap map(std::uint64_t launches = 1) const { return power(step, launches * iterations_); }

 private:
  double wanted_us_;
  std::size_t elements_;
  int clock_khz_;
  AffineKernel in_one_wave_;  // The one whose cycles can be counted.
  AffineKernel kernel_;
  PinnedBuffer<std::uint64_t> cycles_;
  std::uint32_t iterations_ = 0;
};

}  // namespace lapscope::workloads::streams
