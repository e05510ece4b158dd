#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "workloads/harness/affine_kernels.h"

namespace lapscope::workloads {

// One timed operation: its amount of work (iterations or bytes) and its time.
struct Probe {
  double units = 0;
  double us = 0;
};

// The time of an operation as a fixed cost plus a cost per unit of work.
struct LinearCost {
  double fixed_us = 0;  // Launch and completion; noise may make it slightly negative.
  double us_per_unit = 0;

  double predict_us(double units) const { return fixed_us + us_per_unit * units; }

  // Returns the number of units with the predicted time nearest to `us`, but at least 1.
  std::uint32_t units_for(double us) const;
};

// Returns the line through two probes. `small` has fewer units than `large`.
//
// Noise can make the larger probe as short as the smaller one. Then returns the line through the
// origin and the larger probe. Throws std::runtime_error if the larger probe took no time.
LinearCost fit_linear_cost(Probe small, Probe large);

// Measures AffineKernel over `elements` elements; the unit is one iteration. Waits for the GPU.
//
// The kernel counts its clock cycles. The GPU's nominal clock (`clock_khz`) converts them to time.
// Events would include the time that a profiler adds around a short kernel. A profiler would then
// change the amount of work in the program. If the GPU does not hold its nominal clock, kernels
// last longer or shorter than predicted.
//
// Makes three launches, 0.1 ms together on an H200. They appear in the program's trace, so call
// this after all set-up, directly before the measured region. Overwrites `device`. `cycles` is
// pinned host memory for two counts.
LinearCost measure_kernel_cost(const AffineKernel& kernel, std::uint32_t* device,
                               std::size_t elements, std::span<std::uint64_t> cycles, int clock_khz,
                               cudaStream_t stream);

// Measures the cost of a copy from pinned host memory, alone on the link. The unit is one byte.
// Makes three copies of at most 5 MiB together, timed by events. Accurate to a few per cent.
LinearCost measure_copy_cost(std::uint32_t* device, const std::uint32_t* pinned,
                             std::size_t elements, cudaStream_t stream);

// Times to copy a tile between pinned memory and the current device, in us.
struct CopyTimes {
  double h2d_us = 0;       // Alone on the link.
  double d2h_us = 0;       //
  double h2d_both_us = 0;  // While the other direction and any kernels run too.
  double d2h_both_us = 0;  //
};

// The number of host tiles that a measurement of one direction needs.
constexpr std::size_t calibration_tiles = 6;

// Measures copies of tiles of `elements` 32-bit words: 32 copies, in its own memory. Waits for the
// GPU. `launch_kernel` launches a kernel of a tile's length in the caller's stream.
CopyTimes measure_copies(std::size_t elements, const std::function<void()>& launch_kernel = {});

}  // namespace lapscope::workloads
