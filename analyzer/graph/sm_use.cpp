#include "analyzer/graph/sm_use.h"

#include <algorithm>

#include "analyzer/measures/occupancy.h"

namespace lapscope::analyzer {

std::optional<SmUse> sm_use(const LaunchGeometry& geometry, const DeviceLimits& limits) {
  const auto resident = resident_blocks(geometry, limits);
  if (!resident) return std::nullopt;
  SmUse use;
  const auto running = static_cast<float>(std::min(geometry.blocks, *resident));
  use.waves = std::max(1.0, static_cast<double>(geometry.blocks) / static_cast<double>(*resident));
  const auto set = [&](SmUse::Resource resource, std::int64_t per_block, std::int64_t per_sm) {
    if (per_sm <= 0) return;
    const float block = static_cast<float>(per_block) /
                        (static_cast<float>(per_sm) * static_cast<float>(limits.multiprocessors));
    use.one_block[resource] = block;
    use.part[resource] = std::min(1.0F, block * running);
  };
  const BlockNeeds needs = block_needs(geometry, limits);
  set(SmUse::warps, needs.warps, limits.warps_per_multiprocessor);
  set(SmUse::registers, needs.registers, limits.registers_per_multiprocessor);
  set(SmUse::shared_memory, needs.shared_memory, limits.shared_memory_per_multiprocessor);
  set(SmUse::blocks, 1, limits.blocks_per_multiprocessor);
  return use;
}

}  // namespace lapscope::analyzer
