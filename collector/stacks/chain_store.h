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

  std::uint64_t address = 0;  // return address; of a Python frame, file << 32 | function
  std::uint32_t module = 0;   // number in ModuleTable; 0: none; or `python`
  std::uint32_t line = 0;     // of a Python frame

  friend bool operator==(const Frame&, const Frame&) = default;
};

// Stores each different stack (chain) once, in memory of fixed size. Any thread may add chains,
// without a lock. Stored chains never change.
class ChainStore {
 public:
  static constexpr std::size_t most_chains = std::size_t{1} << 16U;
  static constexpr std::size_t most_frames = most_chains * 32;

  explicit ChainStore(std::size_t chains = most_chains, std::size_t frames = most_frames)
      : heads_(chains), slots_(2 * chains, Taken::at_once), frames_(frames) {}

  // Adds the chain if it is new. Returns its number, from 1; 0 if there is no room.
  std::uint32_t add(std::span<const Frame> chain) noexcept;

  // Returns whether more than half of the room for chains or for their frames is used.
  bool is_half_full() const noexcept {
    return heads_used_.load(std::memory_order_relaxed) > heads_.size() / 2 ||
           frames_used_.load(std::memory_order_relaxed) > frames_.size() / 2;
  }

  // Returns the chain with this number, which must come from add().
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
