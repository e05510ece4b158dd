#include "analyzer/machine/sm_use.h"

#include <algorithm>
#include <cmath>

#include "analyzer/measures/occupancy.h"

namespace lapscope::analyzer {
namespace {

constexpr float rounding = 1e-4F;

bool exceeds(const SmUse::Load& a, const SmUse::Load& b) {
  for (std::size_t r = 0; r < a.size(); ++r) {
    if (a[r] + b[r] > 1 + rounding) return true;
  }
  return false;
}

// Whether there is room for the load `wanted` on enough multiprocessors. `covers` is the share of
// all multiprocessors that is enough.
bool finds_room(const SmUse::Load& wanted, float covers, const std::vector<const SmUse*>& running) {
  float taken = 0;     // share of multiprocessors where `wanted` does not fit
  SmUse::Load mean{};  // load, averaged over all multiprocessors
  for (const SmUse* other : running) {
    if (exceeds(other->loaded, wanted)) taken += other->covers;
    for (std::size_t r = 0; r < mean.size(); ++r) mean[r] += other->loaded[r] * other->covers;
  }
  for (std::size_t r = 0; r < mean.size(); ++r) mean[r] = std::min(mean[r], 1.0F);
  SmUse::Load own{};
  for (std::size_t r = 0; r < own.size(); ++r) own[r] = wanted[r] * covers;
  return taken + covers <= 1 + rounding && !exceeds(mean, own);
}

}  // namespace

std::optional<SmUse> sm_use(const LaunchGeometry& geometry, const DeviceLimits& limits) {
  const auto resident = resident_blocks(geometry, limits);
  if (!resident) return std::nullopt;
  SmUse use;
  const std::int64_t running = std::min(geometry.blocks, *resident);
  const std::int64_t processors = limits.multiprocessors;
  const std::int64_t on_one = (running + processors - 1) / processors;
  use.covers = std::min(1.0F, static_cast<float>(running) / static_cast<float>(processors));
  use.waves = std::max(1.0, static_cast<double>(geometry.blocks) / static_cast<double>(*resident));
  use.spare = 1 - use.waves / std::ceil(use.waves);
  const auto set = [&](SmUse::Resource resource, std::int64_t per_block, std::int64_t per_sm) {
    if (per_sm <= 0) return;
    const float block = static_cast<float>(per_block) / static_cast<float>(per_sm);
    use.block[resource] = std::min(1.0F, block);
    use.loaded[resource] = std::min(1.0F, block * static_cast<float>(on_one));
  };
  const BlockNeeds needs = block_needs(geometry, limits);
  set(SmUse::warps, needs.warps, limits.warps_per_multiprocessor);
  set(SmUse::registers, needs.registers, limits.registers_per_multiprocessor);
  set(SmUse::shared_memory, needs.shared_memory, limits.shared_memory_per_multiprocessor);
  set(SmUse::blocks, 1, limits.blocks_per_multiprocessor);
  return use;
}

Course course_of(const SmUse& kernel, double work, double ahead, double begun) {
  const double rounds = std::ceil(kernel.waves);
  const bool leaves_nothing = kernel.spare == 0 && kernel.waves < rounds;
  if (ahead <= 0 || !kernel.fills() || leaves_nothing) {
    return {work, kernel.spare * work, kernel.spare * rounds};
  }
  const double round = work / rounds;
  const double left = std::max(0.0, kernel.waves - begun);
  const double rounds_left = std::ceil(left - static_cast<double>(rounding));
  if (rounds_left == 0) return {kernel.waves * round, 0, 0};
  const double free = std::max(0.0, rounds_left - left);
  return {ahead + rounds_left * round, free * round, free};
}

Fit fit_of(const SmUse& kernel, const std::vector<const SmUse*>& running) {
  for (const SmUse* other : running) {
    if (other->fills()) return Fit::none;
  }
  if (!running.empty()) {
    // One block needs room on one multiprocessor. The number of multiprocessors is not known here,
    // so a small share is used in place of one multiprocessor.
    constexpr float one_of_many = 1e-3F;
    if (!finds_room(kernel.block, std::min(one_of_many, kernel.covers), running)) return Fit::none;
  }
  // A kernel of several waves takes any room there is.
  if (kernel.fills() || running.empty()) return Fit::all;
  return finds_room(kernel.loaded, kernel.covers, running) ? Fit::all : Fit::some;
}

}  // namespace lapscope::analyzer
