#include "analyzer/measures/occupancy.h"

#include <algorithm>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

BlockNeeds block_needs(const LaunchGeometry& geometry, const DeviceLimits& limits) {
  const std::int64_t warps =
      round_up(geometry.threads_per_block, limits.threads_per_warp) / limits.threads_per_warp;
  const std::int64_t per_warp =
      round_up(geometry.registers_per_thread * limits.threads_per_warp, assumed::register_unit);
  return {warps, warps * per_warp,
          geometry.shared_memory_per_block + assumed::system_shared_memory};
}

std::optional<std::int64_t> resident_blocks(const LaunchGeometry& geometry,
                                            const DeviceLimits& limits) {
  if (limits.multiprocessors <= 0 || limits.threads_per_warp <= 0 ||
      limits.warps_per_multiprocessor <= 0 || limits.blocks_per_multiprocessor <= 0 ||
      geometry.blocks <= 0 || geometry.threads_per_block <= 0) {
    return std::nullopt;
  }
  const BlockNeeds needs = block_needs(geometry, limits);
  std::int64_t blocks =
      std::min(limits.blocks_per_multiprocessor, limits.warps_per_multiprocessor / needs.warps);
  if (needs.registers > 0 && limits.registers_per_multiprocessor > 0) {
    blocks = std::min(blocks, limits.registers_per_multiprocessor / needs.registers);
  }
  if (limits.shared_memory_per_multiprocessor > 0) {
    blocks = std::min(blocks, limits.shared_memory_per_multiprocessor / needs.shared_memory);
  }
  // At least one block fits on a multiprocessor, because the kernel did run.
  return std::max<std::int64_t>(blocks, 1) * limits.multiprocessors;
}

}  // namespace lapscope::analyzer
