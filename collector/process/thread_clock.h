#pragma once

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>

#include "collector/process/thread_number.h"

// A clock of the Linux kernel (perf_event_open) that runs only while one thread runs. At the end of
// each period, the Linux kernel copies the thread's registers and the innermost part of its stack
// into shared memory.
namespace lapscope::process {

// Sizes in bytes of the stack in one copy, of the control page (perf_event_mmap_page), and of the
// ring buffer. The buffer has room for one copy.
inline constexpr std::uint32_t thread_clock_stack = 8192;
inline constexpr std::size_t thread_clock_page = 4096;
inline constexpr std::size_t thread_clock_ring = 4 * thread_clock_page;

// Opens a clock for a thread of this process. The clock does not run yet. Returns the file
// descriptor of the clock. On failure, returns a negative number and sets errno.
inline int open_thread_clock(std::uint32_t thread) noexcept {
#if defined(__x86_64__)
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.config = PERF_COUNT_SW_TASK_CLOCK;
  wanted.sample_period = 10'000;  // ns; the kernel's shortest period
  wanted.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  // rbp, rsp and rip (PERF_REG_X86_BP, _SP and _IP). The copy has them in this order.
  wanted.sample_regs_user = 1U << 6U | 1U << 7U | 1U << 8U;
  wanted.sample_stack_user = thread_clock_stack;
  wanted.wakeup_events = 1;
  wanted.disabled = 1;
  // Counts only time in user space. A process may open such a clock for its own threads even if
  // perf_event_paranoid is 2, the usual value.
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  return static_cast<int>(
      ::syscall(SYS_perf_event_open, &wanted, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
#else
  static_cast<void>(thread);
  errno = ENOSYS;
  return -1;
#endif
}

// Maps the shared memory of a clock. Returns MAP_FAILED on failure.
inline void* share_thread_clock(int file) noexcept {
  return ::mmap(nullptr, thread_clock_page + thread_clock_ring, PROT_READ | PROT_WRITE, MAP_SHARED,
                file, 0);
}
inline void unshare_thread_clock(void* shared) noexcept {
  ::munmap(shared, thread_clock_page + thread_clock_ring);
}

// Tries to open and map a clock. Returns the errno of the failure; 0 on success.
inline int thread_clock_refusal() noexcept {
  const int file = open_thread_clock(static_cast<std::uint32_t>(process::thread_id()));
  if (file < 0) return errno;
  void* shared = share_thread_clock(file);
  const int error = shared == MAP_FAILED ? errno : 0;
  if (shared != MAP_FAILED) unshare_thread_clock(shared);
  ::close(file);
  return error;
}

inline std::string describe_refusal(int error) {
  const char* name = error == EACCES   ? "EACCES"
                     : error == EPERM  ? "EPERM"
                     : error == ENOSYS ? "ENOSYS"
                                       : nullptr;
  return "no native frames of threads that run: perf_event_open: " +
         (name ? name : "error " + std::to_string(error));
}

}  // namespace lapscope::process
