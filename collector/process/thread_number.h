#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace lapscope::process {

// Returns the number of the calling thread, from 1 in the order of first calls. Unlike thread ids
// and stack addresses, a number is never reused.
inline std::uint32_t thread_number() noexcept {
  static std::atomic<std::uint32_t> threads{0};
  static thread_local std::uint32_t own = 0;
  if (own == 0) own = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return own;
}

// Returns the Linux thread id of the calling thread. Uses the system call, because gettid() needs
// glibc 2.30. The library also runs in programs with an older glibc.
inline pid_t thread_id() noexcept { return static_cast<pid_t>(::syscall(SYS_gettid)); }

// Like thread_id(), but makes the system call only once per thread. The result is wrong in a forked
// child.
inline std::uint32_t thread_id_before_fork() noexcept {
  thread_local const auto id = static_cast<std::uint32_t>(thread_id());
  return id;
}

}  // namespace lapscope::process
