#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "workloads/harness/affine_kernel.h"
#include "workloads/harness/linear_cost.h"

namespace lapscope::workloads {

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

}  // namespace lapscope::workloads
