#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The resources of a multiprocessor that one block occupies, in whole allocation units.
struct BlockNeeds {
  std::int64_t warps = 0;
  std::int64_t registers = 0;  // 0 when not known
  Bytes shared_memory = 0;     // including the part that CUDA reserves for each block
};

// Returns the resources that a block needs. Registers are allocated in units of 256 for each warp,
// and CUDA reserves 1 KiB of shared memory for each block (compute capability 8 and 9). Requires
// limits.threads_per_warp > 0.
BlockNeeds block_needs(const LaunchGeometry& geometry, const DeviceLimits& limits);

// Returns the number of blocks of a launch that fit on the device at once, by CUDA's occupancy
// calculation. Returns empty if the trace lacks the device's limits or the launch's shape.
std::optional<std::int64_t> resident_blocks(const LaunchGeometry& geometry,
                                            const DeviceLimits& limits);

}  // namespace lapscope::analyzer
