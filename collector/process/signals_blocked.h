#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace lapscope::process {

// Blocks signals in the calling thread during the object's lifetime, so the program's signal
// handlers do not run in it. The destructor restores the signal mask and errno.
class SignalsBlocked {
 public:
  enum class Which {
    // All signals except two signals of the C library (32 and 33). setuid() sends one of them to
    // every thread, and waits until the thread has handled it. The threads of lapscope inherit this
    // mask from the thread that makes them. Writer::push() and BufferPool also use it, in threads
    // of the program.
    of_the_program,
    // All signals except faults, because a program must be able to handle its faults. The handlers
    // of other signals could leave by siglongjmp(), end the thread or fork. Used in the threads of
    // the program, for some microseconds.
    all_but_faults,
  };

  explicit SignalsBlocked(Which which) noexcept : error_(errno) {
    const std::uint64_t of_c_library = bit_of(32) | bit_of(33);
    const std::uint64_t faults = bit_of(SIGSEGV) | bit_of(SIGBUS) | bit_of(SIGFPE) |
                                 bit_of(SIGILL) | bit_of(SIGTRAP) | bit_of(SIGSYS) |
                                 bit_of(SIGABRT);
    // SIG_BLOCK adds to the mask, so signals that the program has blocked are still blocked.
    set(SIG_BLOCK, ~(which == Which::of_the_program ? of_c_library : faults), &before_);
  }
  ~SignalsBlocked() {
    set(SIG_SETMASK, before_, nullptr);
    errno = error_;
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  // Signal sets in the Linux kernel's format. The C library's functions would leave out the signals
  // 32 and 33.
  static constexpr std::uint64_t bit_of(int signal) { return std::uint64_t{1} << (signal - 1); }
  static void set(int how, const std::uint64_t& signals, std::uint64_t* before) noexcept {
    ::syscall(SYS_rt_sigprocmask, how, &signals, before, sizeof signals);
  }

  std::uint64_t before_ = 0;
  int error_;
};

}  // namespace lapscope::process
