#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Blocks of this shape that fit on the device at once: the CUDA occupancy calculation, with
// registers given out in units of 256 per warp and 1 KiB of shared memory taken by the system per
// block, as on GPUs of compute capability 8 and 9. Empty when the trace lacks the device's limits
// or the kernel's shape.
std::optional<std::int64_t> resident_blocks(const LaunchGeometry& geometry,
                                            const DeviceLimits& limits);

}  // namespace lapscope::analyzer
