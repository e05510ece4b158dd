#include "collector/process/signals_blocked.h"

#include <pthread.h>

#include "tests/catch.h"

namespace lapscope::process {
namespace {

using Which = SignalsBlocked::Which;

std::uint64_t blocked_now() {
  std::uint64_t blocked = 0;
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, nullptr, &blocked, sizeof blocked);
  return blocked;
}

bool has(std::uint64_t blocked, int signal) { return (blocked >> (signal - 1) & 1U) != 0; }

TEST_CASE("a thread of ours handles nothing of the program's", "[process]") {
  const std::uint64_t before = blocked_now();
  {
    const SignalsBlocked blocked(Which::of_the_program);
    for (const int signal : {SIGINT, SIGUSR1, SIGSEGV, SIGALRM, 34, 64}) {
      CHECK(has(blocked_now(), signal));
    }
    // glibc uses these signals. With 33 blocked, setuid() would wait forever for this thread.
    CHECK_FALSE(has(blocked_now(), 32));
    CHECK_FALSE(has(blocked_now(), 33));
  }
  CHECK(blocked_now() == before);
}

TEST_CASE("a thread of the program handles its faults alone", "[process]") {
  const std::uint64_t before = blocked_now();
  {
    const SignalsBlocked outer(Which::all_but_faults);
    const SignalsBlocked inner(Which::all_but_faults);
    for (const int signal : {SIGINT, SIGUSR1, SIGALRM, 32, 33}) CHECK(has(blocked_now(), signal));
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) {
      CHECK_FALSE(has(blocked_now(), signal));
    }
  }
  CHECK(blocked_now() == before);
}

TEST_CASE("errno is as before", "[process]") {
  errno = ENOTTY;
  {
    const SignalsBlocked blocked(Which::all_but_faults);
    errno = EPERM;
  }
  CHECK(errno == ENOTTY);
}

volatile sig_atomic_t handled = 0;

TEST_CASE("a signal is handled when the block has ended", "[process]") {
  handled = 0;
  const auto old = ::signal(SIGUSR2, [](int) { handled = 1; });
  {
    const SignalsBlocked blocked(Which::all_but_faults);
    ::pthread_kill(::pthread_self(), SIGUSR2);
    CHECK(handled == 0);
  }
  CHECK(handled == 1);
  ::signal(SIGUSR2, old);
}

TEST_CASE("a fault that the program has blocked stays pending", "[process]") {
  handled = 0;
  const auto old = ::signal(SIGTRAP, [](int) { handled = 1; });
  sigset_t trap;
  ::sigemptyset(&trap);
  ::sigaddset(&trap, SIGTRAP);
  ::pthread_sigmask(SIG_BLOCK, &trap, nullptr);
  ::pthread_kill(::pthread_self(), SIGTRAP);
  {
    const SignalsBlocked blocked(Which::all_but_faults);
    CHECK(handled == 0);
  }
  CHECK(handled == 0);
  ::pthread_sigmask(SIG_UNBLOCK, &trap, nullptr);
  CHECK(handled == 1);
  ::signal(SIGTRAP, old);
}

}  // namespace
}  // namespace lapscope::process
