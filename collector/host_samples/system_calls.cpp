#include "collector/host_samples/system_calls.h"

#include <linux/futex.h>
#include <sys/syscall.h>

namespace lapscope::host_samples {

using callbacks::ThreadState;

ThreadState state_in(std::int64_t system_call) noexcept {
  switch (system_call) {
    case SYS_futex:
      return ThreadState::lock;
    case SYS_read:
    case SYS_write:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_readv:
    case SYS_writev:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendfile:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_openat:
    case SYS_getdents64:
#ifdef SYS_open
    case SYS_open:
#endif
      return ThreadState::reading;
#ifdef SYS_poll
    case SYS_poll:
    case SYS_select:
    case SYS_epoll_wait:
#endif
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_epoll_pwait:
    case SYS_accept:
    case SYS_accept4:
      return ThreadState::polling;
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
      return ThreadState::sleeping;
    case SYS_wait4:
    case SYS_waitid:
      return ThreadState::child;
    case SYS_ioctl:
      return ThreadState::driver;
    case SYS_sched_yield:
      return ThreadState::running;
    default:
      return ThreadState::other;
  }
}

bool is_futex(std::int64_t system_call) noexcept { return system_call == SYS_futex; }

// Returns false for FUTEX_WAIT_BITSET, which condition variables, semaphores and waits with a time
// limit use.
bool is_mutex_wait(std::uint64_t operation) noexcept {
  const std::uint64_t command = operation & static_cast<std::uint64_t>(FUTEX_CMD_MASK);
  return command == FUTEX_WAIT || command == FUTEX_LOCK_PI;
}

}  // namespace lapscope::host_samples
