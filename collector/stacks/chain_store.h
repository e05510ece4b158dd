#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/stacks/own_memory.h"

namespace lapscope::stacks {

// A frame of a kept stack.
struct Frame {
  static constexpr std::uint32_t python = 0xFFFFFFFF;

  std::uint64_t address = 0;  // return address; of a Python frame its file and function, by halves
  std::uint32_t module = 0;   // ModuleTable's number, 0 for none; or `python`
  std::uint32_t line = 0;     // of a Python frame

  friend bool operator==(const Frame&, const Frame&) = default;
};

// Every different stack once, in room that is limited and made at the begin. Any thread may add,
// without a lock; what was added stays as it is.
class ChainStore {
 public:
  static constexpr std::size_t most_chains = std::size_t{1} << 16U;
  static constexpr std::size_t most_frames = std::size_t{1} << 20U;

  explicit ChainStore(std::size_t chains = most_chains, std::size_t frames = most_frames)
      : heads_(chains), slots_(2 * chains, Taken::at_once), frames_(frames) {}

  // The chain's number, from 1; 0 when there is no room any more.
  std::uint32_t add(std::span<const Frame> chain) noexcept;

  // Whether half of the room is taken, by chains or by their frames.
  bool is_half_full() const noexcept {
    return heads_used_.load(std::memory_order_relaxed) > heads_.size() / 2 ||
           frames_used_.load(std::memory_order_relaxed) > frames_.size() / 2;
  }

  // The chain with a number that add() has returned.
  std::span<const Frame> chain(std::uint32_t number) const {
    const Head& head = heads_[number - 1];
    return {frames_.data() + head.first, head.count};
  }

 private:
  struct Head {
    std::uint64_t hash;
    std::uint32_t first;
    std::uint32_t count;
  };

  bool is(std::uint32_t number, std::uint64_t hash, std::span<const Frame> chain) const noexcept;
  std::uint32_t keep(std::uint64_t hash, std::span<const Frame> chain) noexcept;

  LastingArray<Head> heads_;
  LastingArray<std::atomic<std::uint32_t>> slots_;  // numbers, by hash
  LastingArray<Frame> frames_;
  std::atomic<std::size_t> heads_used_{0};
  std::atomic<std::size_t> frames_used_{0};
};

}  // namespace lapscope::stacks
