#include "collector/stacks/call_stacks.h"

#include <algorithm>

namespace lapscope::stacks {
namespace {

// In a pending word: the correlation id above, then this, then the chain.
constexpr std::uint64_t whole_bit = std::uint64_t{1} << 31U;

}  // namespace

void CallStacks::leave_out(std::uintptr_t address) noexcept {
  const auto object = loaded_object(address);
  if (!object || left_out_count_ == left_out_.size()) return;
  left_out_[left_out_count_++] = {object->begin, object->end};
}

bool CallStacks::is_left_out(std::uintptr_t address) const noexcept {
  return std::any_of(
      left_out_.begin(), left_out_.begin() + static_cast<std::ptrdiff_t>(left_out_count_),
      [address](const Range& range) { return address >= range.begin && address < range.end; });
}

void CallStacks::capture(std::uint32_t correlation) noexcept {
  Walker* walker = take_walker();
  if (!walker) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const Unwinder::Walk walk = unwinder_.walk(registers_here(), walker->walked, walker->room);
  keep(correlation, walk, *walker);
  walker->in_use.store(false, std::memory_order_release);
}

CallStacks::Walker* CallStacks::take_walker() noexcept {
  static std::atomic<std::size_t> threads{0};
  static thread_local const std::size_t own = threads.fetch_add(1, std::memory_order_relaxed);
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    Walker& walker = walkers_[(own + i) % walkers_.size()];
    if (!walker.in_use.exchange(true, std::memory_order_acquire)) return &walker;
  }
  return nullptr;
}

void CallStacks::keep(std::uint32_t correlation, const Unwinder::Walk& walk,
                      Walker& walker) noexcept {
  std::size_t first = 0;
  while (first < walk.frames && is_left_out(walker.walked[first].address)) ++first;
  const std::size_t count = std::min(walk.frames - first, most_frames);
  if (count == 0 || pending_.size() == 0) {
    not_unwound_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Unwinder::Frame& walked = walker.walked[first + i];
    walker.frames[i] = {walked.address, modules_.number_of(walked.address - 1, walked.object), 0};
  }
  const bool is_whole = walk.is_whole && count == walk.frames - first;
  const std::uint32_t chain = chains_.add(std::span(walker.frames).first(count));
  if (chain == 0) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const std::uint64_t pending =
      std::uint64_t{correlation} << 32U | (is_whole ? whole_bit : 0) | chain;
  pending_[correlation % pending_.size()].store(pending, std::memory_order_release);
  captured_.fetch_add(1, std::memory_order_relaxed);
}

CallStacks::Stack CallStacks::take(std::uint32_t correlation) noexcept {
  if (pending_.size() == 0) return {};
  auto& slot = pending_[correlation % pending_.size()];
  std::uint64_t pending = slot.load(std::memory_order_acquire);
  if (pending >> 32U != correlation || correlation == 0) return {};
  slot.compare_exchange_strong(pending, 0, std::memory_order_relaxed);
  return {static_cast<std::uint32_t>(pending & (whole_bit - 1)), (pending & whole_bit) != 0};
}

CallStacks::Counts CallStacks::counts() const noexcept {
  return {captured_.load(std::memory_order_relaxed), not_unwound_.load(std::memory_order_relaxed),
          lost_.load(std::memory_order_relaxed)};
}

}  // namespace lapscope::stacks
