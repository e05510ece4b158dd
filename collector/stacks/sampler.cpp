#include "collector/stacks/sampler.h"

namespace lapscope::stacks {

bool Sampler::takes(std::uint64_t sort, bool is_scarce) noexcept {
  const std::uint64_t every = is_scarce ? one_in_if_scarce : one_in;
  constexpr unsigned count_bits = 32;
  constexpr std::uint64_t count_mask = (std::uint64_t{1} << count_bits) - 1;
  constexpr std::size_t tries = 8;
  const std::uint64_t hash = mixed(sort);
  const std::uint64_t tag = hash | count_mask;  // upper half is 0 for one sort in 4 billion
  for (std::size_t i = 0; i < tries && counters_.size() > 0; ++i) {
    auto& counter = counters_[(hash + i) % counters_.size()];
    std::uint64_t value = counter.load(std::memory_order_relaxed);
    if (value == 0 &&
        counter.compare_exchange_strong(value, tag & ~count_mask, std::memory_order_relaxed)) {
      value = tag & ~count_mask;
    }
    if ((value | count_mask) != tag) continue;
    const std::uint64_t count = counter.fetch_add(1, std::memory_order_relaxed) & count_mask;
    return count < first || count % every == 0;
  }
  return others_.fetch_add(1, std::memory_order_relaxed) % every == 0;
}

void Sampler::reset() noexcept {
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    counters_[i].store(0, std::memory_order_relaxed);
  }
  others_.store(0, std::memory_order_relaxed);
}

}  // namespace lapscope::stacks
