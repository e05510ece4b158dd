#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace lapscope::process {

// Blocks signals in the calling thread while it lives: they are the program's business. Keeps
// errno, which is the program's, too.
class SignalsBlocked {
 public:
  enum class Which {
    // In a thread of ours, for as long as it lasts. Not those of the C library: setuid() waits
    // until every thread has handled one.
    of_the_program,
    // In a thread of the program, for some microseconds: whatever may leave by siglongjmp(), end
    // the thread or fork. Not those that an instruction causes: a program that handles its own must
    // go on doing so.
    all_but_faults,
  };

  explicit SignalsBlocked(Which which) noexcept : error_(errno) {
    const std::uint64_t of_c_library = bit_of(32) | bit_of(33);
    const std::uint64_t faults = bit_of(SIGSEGV) | bit_of(SIGBUS) | bit_of(SIGFPE) |
                                 bit_of(SIGILL) | bit_of(SIGTRAP) | bit_of(SIGSYS) |
                                 bit_of(SIGABRT);
    // SIG_BLOCK: what the program has blocked stays blocked, whether or not a signal is pending.
    set(SIG_BLOCK, ~(which == Which::of_the_program ? of_c_library : faults), &before_);
  }
  ~SignalsBlocked() {
    set(SIG_SETMASK, before_, nullptr);
    errno = error_;
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  // Signal numbers as the kernel has them: the C library's functions leave its own out.
  static constexpr std::uint64_t bit_of(int signal) { return std::uint64_t{1} << (signal - 1); }
  static void set(int how, const std::uint64_t& signals, std::uint64_t* before) noexcept {
    ::syscall(SYS_rt_sigprocmask, how, &signals, before, sizeof signals);
  }

  std::uint64_t before_ = 0;
  int error_;
};

}  // namespace lapscope::process
