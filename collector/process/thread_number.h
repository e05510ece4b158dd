#pragma once

#include <atomic>
#include <cstdint>

namespace lapscope::process {

// Of each thread another number, from 1, in the order in which threads ask first. A thread does not
// get that of one that has ended, as it may get its id and the place of its stack.
inline std::uint32_t thread_number() noexcept {
  static std::atomic<std::uint32_t> threads{0};
  static thread_local std::uint32_t own = 0;
  if (own == 0) own = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return own;
}

}  // namespace lapscope::process
