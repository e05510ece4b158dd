#include "collector/launch/group_witness.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace lapscope::launch {
namespace {

// Returns the signals that are pending for the process and not for one of its threads, such as
// signals of kill(). Bit n - 1 stands for signal n.
std::uint64_t pending_signals(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  constexpr std::string_view key = "ShdPnd:\t";
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(key)) continue;
    std::uint64_t set = 0;
    std::from_chars(line.data() + key.size(), line.data() + line.size(), set, 16);
    return set;
  }
  return 0;
}

// Runs the witness process. It handles no signals, so blocked signals stay pending. Signals that
// cannot be blocked have their usual effect.
[[noreturn]] void witness(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  // The reader of a pipe waits until no process has the write end open. So close all descriptors.
  // Use the system call, because libc has close_range() only since version 2.34.
  ::syscall(SYS_close_range, 0U, ~0U, 0U);
  for (;;) ::pause();
}

void sleep_briefly() {
  const timespec pause{0, 1'000'000};
  ::nanosleep(&pause, nullptr);
}

pid_t start_witness() {
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) witness(parent);
  return pid;
}

void end_witness(pid_t pid) {
  if (pid <= 0) return;
  ::kill(pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

GroupWitness::GroupWitness() : pid_(start_witness()) {}

GroupWitness::~GroupWitness() { end_witness(pid_); }

bool GroupWitness::has_got(int signal) {
  if (pid_ <= 0) return false;
  const std::uint64_t bit = std::uint64_t{1} << (signal - 1);
  // kill() signals the processes of a group one by one, so the witness may get the signal some
  // milliseconds later.
  constexpr int attempts = 25;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if ((pending_signals(pid_) & bit) != 0) {
      // Start the next witness before this one ends, so that no signal is missed.
      end_witness(std::exchange(pid_, start_witness()));
      return true;
    }
    sleep_briefly();
  }
  return false;
}

}  // namespace lapscope::launch
