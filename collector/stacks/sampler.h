#pragma once

#include <atomic>
#include <cstdint>

#include "collector/stacks/own_memory.h"

namespace lapscope::stacks {

// Chooses among calls that are made often: for each sort the first ones, then one in so many. Any
// thread may ask, without a lock.
class Sampler {
 public:
  static constexpr std::uint64_t first = 16;
  static constexpr std::uint64_t one_in = 64;

  Sampler() : counters_(sorts, Taken::at_once) {}

  // Whether this call of its sort is one of them. Where there are more sorts than there is room
  // for, those that come late have no first ones.
  bool takes(std::uint64_t sort) noexcept;

 private:
  static constexpr std::size_t sorts = std::size_t{1} << 15U;

  LastingArray<std::atomic<std::uint64_t>> counters_;  // of calls, above them the sort
  std::atomic<std::uint64_t> others_{0};
};

}  // namespace lapscope::stacks
