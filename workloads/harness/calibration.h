#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "workloads/harness/affine_kernels.h"

namespace lapscope::workloads {

// A measured operation: how much work it does (iterations or bytes), and its time.
struct Probe {
  double units = 0;
  double us = 0;
};

// The time of an operation: a fixed cost plus a cost for each unit of work.
struct LinearCost {
  double fixed_us = 0;  // Launch and completion; noise may make it slightly negative.
  double us_per_unit = 0;

  double predict_us(double units) const { return fixed_us + us_per_unit * units; }

  // Returns how many units take about `us`, but at least 1.
  std::uint32_t units_for(double us) const;
};

// Returns the line through two probes; `small` has fewer units than `large`. If noise makes `small`
// take as long as `large`, the line goes through the origin and `large`. Throws std::runtime_error
// if `large` took no time.
LinearCost fit_linear_cost(Probe small, Probe large);

// Measures AffineKernel over `elements` elements. A unit of work is one iteration. Waits for the
// GPU.
//
// The time is clock cycles divided by the GPU's nominal clock, `clock_khz`. Events would also
// measure the time that a profiler adds around a short kernel, and a profiler would then change the
// amount of work. If the GPU runs at another clock, kernels are longer or shorter than predicted.
//
// Makes three launches, which take 0.1 ms in total on an H200. A trace of the program has these
// launches, so call this after all set-up, directly before the measured region. Overwrites
// `device`. `cycles` is pinned host memory for two numbers.
LinearCost measure_kernel_cost(const AffineKernel& kernel, std::uint32_t* device,
                               std::size_t elements, std::span<std::uint64_t> cycles, int clock_khz,
                               cudaStream_t stream);

// Measures a copy from pinned host memory while nothing else uses the link. The error is a few per
// cent. A unit of work is one byte. Makes three copies of at most 5 MiB in total.
LinearCost measure_copy_cost(std::uint32_t* device, const std::uint32_t* pinned,
                             std::size_t elements, cudaStream_t stream);

// How long it takes to copy a tile between pinned memory and the current device, in us.
struct CopyTimes {
  double h2d_us = 0;       // To the device, alone on the link.
  double d2h_us = 0;       // To the host, alone on the link.
  double h2d_both_us = 0;  // The same while the other direction and any kernels run.
  double d2h_both_us = 0;  // The same while the other direction and any kernels run.
};

// How many host tiles a measurement of one direction needs.
constexpr std::size_t calibration_tiles = 6;

// Measures copies of tiles of `elements` 32-bit words. Allocates its own memory and makes 32
// copies. Waits for the GPU. `launch_kernel` launches a kernel in a stream of the caller. This
// kernel takes as long as the kernel of a tile.
CopyTimes measure_copies(std::size_t elements, const std::function<void()>& launch_kernel = {});

}  // namespace lapscope::workloads
