#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "workloads/harness/affine_kernels.h"

namespace lapscope::workloads {

// One timed operation: how much work it did (iterations, bytes) and how long it took.
struct Probe {
  double units = 0;
  double us = 0;
};

// The time of an operation as a fixed cost plus a cost per unit of work.
struct LinearCost {
  double fixed_us = 0;  // Launch and completion; noise may make it slightly negative.
  double us_per_unit = 0;

  double predict_us(double units) const { return fixed_us + us_per_unit * units; }

  // The number of units, at least 1, whose predicted time is nearest to `us`.
  std::uint32_t units_for(double us) const;
};

// The line through two probes, `small` with the fewer units.
//
// If noise made the larger probe no longer than the smaller one, the line through the origin and
// the larger probe is used instead. Throws std::runtime_error if that fails too.
LinearCost fit_linear_cost(Probe small, Probe large);

// What AffineKernel over `elements` elements costs on this GPU; the unit is one iteration. Waits.
//
// The kernel's own clock cycles are counted and turned into time by the GPU's nominal clock
// (`clock_khz`), because timing it from outside is no use for comparing runs: an event also times
// what a profiler adds around a short kernel, and the same program would then do other work with a
// profiler than without. The price: on a GPU that does not hold its nominal clock, the kernel lasts
// longer or shorter than predicted.
//
// Three launches, of 0.1 ms together on an H200. They are in the program's trace, so they belong
// directly before the measured region, after all set-up. `device` is overwritten. `cycles` has room
// for two counts, in pinned host memory.
LinearCost measure_kernel_cost(const AffineKernel& kernel, std::uint32_t* device,
                               std::size_t elements, std::span<std::uint64_t> cycles, int clock_khz,
                               cudaStream_t stream);

// The same for a copy from pinned host memory, alone on the link; the unit is one byte. Three
// copies of 5 MiB together at most, timed by events: right within a few per cent.
LinearCost measure_copy_cost(std::uint32_t* device, const std::uint32_t* pinned,
                             std::size_t elements, cudaStream_t stream);

// What copying a tile between pinned memory and the current device takes, in us.
struct CopyTimes {
  double h2d_us = 0;       // Alone on the link.
  double d2h_us = 0;       //
  double h2d_both_us = 0;  // While the other direction runs too, and kernels if there are any.
  double d2h_both_us = 0;  //
};

// Tiles of host memory that measuring a direction of the link takes.
constexpr std::size_t calibration_tiles = 6;

// Copies of tiles of `elements` words of 32 bits. `launch_kernel` puts one launch, as long as the
// kernel of a tile, into a stream of the caller. Waits. 32 copies, in memory of its own.
CopyTimes measure_copies(std::size_t elements, const std::function<void()>& launch_kernel = {});

}  // namespace lapscope::workloads
