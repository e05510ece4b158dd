#include "collector/stacks/chain_store.h"

#include <algorithm>

namespace lapscope::stacks {

std::uint32_t ChainStore::add(std::span<const Frame> chain) noexcept {
  if (heads_.size() == 0 || slots_.size() == 0 || frames_.size() == 0) return 0;
  std::uint64_t hash = chain.size();
  for (const Frame& frame : chain) {
    hash = mixed(hash ^ frame.address ^ std::uint64_t{frame.module} << 48U) + frame.line;
  }
  std::uint32_t own = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    auto& slot = slots_[(hash + i) % slots_.size()];
    std::uint32_t number = slot.load(std::memory_order_acquire);
    if (number == 0) {
      if (own == 0) own = keep(hash, chain);
      if (own == 0) return 0;
      // If the exchange fails, another thread has taken the slot, perhaps for the same stack. In
      // this case, the chain from keep() may remain unused.
      if (slot.compare_exchange_strong(number, own, std::memory_order_acq_rel)) return own;
    }
    if (is(number, hash, chain)) return number;
  }
  return 0;
}

bool ChainStore::is(std::uint32_t number, std::uint64_t hash,
                    std::span<const Frame> chain) const noexcept {
  const Head& head = heads_[number - 1];
  return head.hash == hash && head.count == chain.size() &&
         std::equal(chain.begin(), chain.end(), frames_.data() + head.first);
}

std::uint32_t ChainStore::keep(std::uint64_t hash, std::span<const Frame> chain) noexcept {
  if (heads_used_.load(std::memory_order_relaxed) >= heads_.size()) return 0;
  std::size_t first = frames_used_.load(std::memory_order_relaxed);
  do {
    if (chain.size() > frames_.size() - first) return 0;
  } while (
      !frames_used_.compare_exchange_weak(first, first + chain.size(), std::memory_order_relaxed));
  const std::size_t head = heads_used_.fetch_add(1, std::memory_order_relaxed);
  if (head >= heads_.size()) return 0;
  std::copy(chain.begin(), chain.end(), frames_.data() + first);
  heads_[head] = {hash, static_cast<std::uint32_t>(first),
                  static_cast<std::uint32_t>(chain.size())};
  return static_cast<std::uint32_t>(head + 1);
}

}  // namespace lapscope::stacks
