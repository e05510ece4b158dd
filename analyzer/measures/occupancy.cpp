#include "analyzer/measures/occupancy.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t register_unit = 256;          // registers, per warp
constexpr std::int64_t system_shared_memory = 1024;  // bytes, per block

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

std::optional<std::int64_t> resident_blocks(const LaunchGeometry& geometry,
                                            const DeviceLimits& limits) {
  if (limits.multiprocessors <= 0 || limits.threads_per_warp <= 0 ||
      limits.warps_per_multiprocessor <= 0 || limits.blocks_per_multiprocessor <= 0 ||
      geometry.blocks <= 0 || geometry.threads_per_block <= 0) {
    return std::nullopt;
  }
  const std::int64_t warps =
      round_up(geometry.threads_per_block, limits.threads_per_warp) / limits.threads_per_warp;
  std::int64_t blocks =
      std::min(limits.blocks_per_multiprocessor, limits.warps_per_multiprocessor / warps);
  if (geometry.registers_per_thread > 0 && limits.registers_per_multiprocessor > 0) {
    const std::int64_t per_warp =
        round_up(geometry.registers_per_thread * limits.threads_per_warp, register_unit);
    blocks = std::min(blocks, limits.registers_per_multiprocessor / per_warp / warps);
  }
  if (limits.shared_memory_per_multiprocessor > 0) {
    blocks = std::min(blocks, limits.shared_memory_per_multiprocessor /
                                  (geometry.shared_memory_per_block + system_shared_memory));
  }
  // What ran did fit, whatever the arithmetic says.
  return std::max<std::int64_t>(blocks, 1) * limits.multiprocessors;
}

}  // namespace lapscope::analyzer
