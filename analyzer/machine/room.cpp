#include "analyzer/machine/room.h"

#include <algorithm>
#include <utility>

namespace lapscope::analyzer {

void PartialKernels::add(std::uint32_t kernel, bool has_started,
                         const std::vector<std::uint32_t>& holders) {
  if (has(kernel)) return;
  all_[kernel] = {added_++, holders.size(), has_started};
  for (const std::uint32_t holder : holders) held_up_[holder].push_back(kernel);
}

bool PartialKernels::start(std::uint32_t kernel) {
  const auto found = all_.find(kernel);
  if (found != all_.end()) found->second.has_started = true;
  return found != all_.end();
}

std::vector<std::uint32_t> PartialKernels::leave(std::uint32_t kernel) {
  if (all_.empty()) {
    if (!held_up_.empty()) held_up_.clear();
    return {};
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> complete;  // in the order of add()
  const auto complete_one = [&](std::uint32_t one) {
    const auto found = all_.find(one);
    if (found->second.has_started) complete.emplace_back(found->second.place, one);
    all_.erase(found);
  };
  if (const auto held_up = held_up_.find(kernel); held_up != held_up_.end()) {
    for (const std::uint32_t one : held_up->second) {
      const auto found = all_.find(one);
      if (found != all_.end() && --found->second.holders == 0) complete_one(one);
    }
    held_up_.erase(held_up);
  }
  if (has(kernel)) complete_one(kernel);
  std::sort(complete.begin(), complete.end());
  std::vector<std::uint32_t> kernels;
  for (const auto& [place, one] : complete) kernels.push_back(one);
  return kernels;
}

std::vector<std::uint32_t> Room::leave(std::uint32_t kernel) {
  const auto own = std::ranges::find(running_, kernel, &Running::kernel);
  if (own != running_.end()) running_.erase(own);
  return partial_.leave(kernel);
}

Fit Room::fit_beside(std::uint32_t kernel, const std::vector<std::uint32_t>& others) const {
  uses_.clear();
  for (const std::uint32_t other : others) uses_.push_back(&use_of(other));
  return fit_of(use_of(kernel), uses_);
}

bool Room::began_beside(std::uint32_t shape, const Running& other) const {
  return std::ranges::any_of(other.beside,
                             [&](std::uint32_t one) { return shape_of(one) == shape; });
}

std::vector<std::uint32_t> Room::kernels() const {
  std::vector<std::uint32_t> kernels;
  for (const Running& one : running_) kernels.push_back(one.kernel);
  return kernels;
}

}  // namespace lapscope::analyzer
