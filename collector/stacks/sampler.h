#pragma once

#include <atomic>
#include <cstdint>

#include "collector/stacks/own_memory.h"

namespace lapscope::stacks {

// Chooses which calls to sample. Chooses the first `first` calls of each sort, and after them one
// call in `one_in`. Any thread may call takes(), which uses no lock.
class Sampler {
 public:
  static constexpr std::uint64_t first = 16;
  static constexpr std::uint64_t one_in = 64;
  static constexpr std::uint64_t one_in_if_scarce = 1024;

  Sampler() : counters_(sorts, Taken::at_once) {}

  // Returns whether to sample a call. Calls of one sort have the same number `sort`. If `is_scarce`
  // is true, one_in_if_scarce is used instead of one_in. All sorts without a free counter share one
  // counter. The first calls of these sorts are sampled like later calls.
  bool takes(std::uint64_t sort, bool is_scarce = false) noexcept;

  // Forgets all calls, so that the next calls of each sort are its first calls.
  void reset() noexcept;

 private:
  static constexpr std::size_t sorts = std::size_t{1} << 15U;

  LastingArray<std::atomic<std::uint64_t>> counters_;  // low half: calls; high half: hash of sort
  std::atomic<std::uint64_t> others_{0};
};

}  // namespace lapscope::stacks
