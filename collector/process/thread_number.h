#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace lapscope::process {

// Each thread has a different number, counted from 1 in the order in which threads first ask. A
// thread does not get the number of one that has ended, although it may get its id and the place of
// its stack.
inline std::uint32_t thread_number() noexcept {
  static std::atomic<std::uint32_t> threads{0};
  static thread_local std::uint32_t own = 0;
  if (own == 0) own = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return own;
}

// The kernel's id of this thread. Not by gettid(), which libc has from 2.30 on: what is built for
// older ones goes into programs with these.
inline pid_t thread_id() noexcept { return static_cast<pid_t>(::syscall(SYS_gettid)); }

}  // namespace lapscope::process
