#include "collector/launch/child_program.h"

#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "collector/environment.h"

namespace lapscope::launch {

CollectorLibrary find_collector() {
  namespace fs = std::filesystem;
  std::error_code error;
  if (const char* chosen = std::getenv(environment::collector); chosen && *chosen) {
    if (fs::is_regular_file(chosen, error)) return {fs::absolute(chosen), {}};
    return {{}, std::string(environment::collector) + " names '" + chosen + "', which is no file."};
  }
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  const fs::path beside =
      (command.parent_path() / LAPSCOPE_COLLECTOR_FROM_BINDIR).lexically_normal();
  if (fs::is_regular_file(beside, error)) return {beside, {}};
  return {
      {},
      "the collector library is missing ('" + beside.string() +
          "'): this lapscope was built without a CUDA toolkit. It can analyze traces; to record, "
          "build it where a toolkit is installed."};
}

namespace {

// Determines whether a signal was sent to the whole process group or to this process alone. The
// signal itself does not show this. The witness is a process of the same group that only keeps the
// signals that it gets. Nobody has a reason to send a signal to the witness alone. So a signal that
// the witness has got was sent to the group.
//
// Block the signals in question before making the witness. The witness ends with this process.
class GroupWitness {
 public:
  GroupWitness();
  ~GroupWitness();
  GroupWitness(const GroupWitness&) = delete;
  GroupWitness& operator=(const GroupWitness&) = delete;

  // Returns whether the witness has received the signal, too. Call it only once for each signal,
  // because it also makes the witness forget the signal. Returns false if there is no witness.
  bool has_got(int signal);

 private:
  pid_t pid_ = -1;
};

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

CollectorLibrary find_beside(const char* name, const std::string& what) {
  const CollectorLibrary collector = find_collector();
  if (collector.path.empty()) return collector;
  const auto beside = collector.path.parent_path() / name;
  std::error_code error;
  if (std::filesystem::is_regular_file(beside, error)) return {beside, {}};
  return {{}, what + " is missing ('" + beside.string() + "'): build or install lapscope again."};
}

}  // namespace

CollectorLibrary find_range_timer() {
  return find_beside("liblapscope_range_timer.so", "the library for bare runs");
}

CollectorLibrary find_call_costs() {
  return find_beside("lapscope_call_costs", "the program that calls are timed with");
}

namespace {

namespace fs = std::filesystem;

sigset_t passed_on_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT, SIGALRM, SIGPIPE, SIGXCPU,
        SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, SIGABRT}) {
    sigaddset(&set, signal);
  }
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) sigaddset(&set, signal);
  return set;
}

// Returns whether a signal asks the program to end. Returns false if this process ignores the
// signal, as under nohup, because the program then ignores it, too.
bool asks_to_end(int signal) {
  if (signal != SIGINT && signal != SIGTERM && signal != SIGHUP && signal != SIGQUIT) return false;
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN;
}

// The environment of this process with some variables replaced or added.
class Environment {
 public:
  explicit Environment(const Variables& added) {
    for (char** entry = environ; *entry; ++entry) {
      const std::string_view text(*entry);
      bool replaced = false;
      for (const auto& [name, value] : added) {
        replaced |= text.starts_with(name) && text.substr(name.size()).starts_with('=');
      }
      if (!replaced) entries_.emplace_back(text);
    }
    for (const auto& [name, value] : added) entries_.push_back(name + "=" + value);
    for (std::string& entry : entries_) pointers_.push_back(entry.data());
    pointers_.push_back(nullptr);
  }
  char* const* data() { return pointers_.data(); }

 private:
  std::vector<std::string> entries_;
  std::vector<char*> pointers_;
};

// Returns whether this process must pass a signal on to the program. It must if the program has not
// got the signal itself. Who gets a signal depends on the sender:
// - Terminals (SIGINT, SIGQUIT), job schedulers and shells signal a whole process group. The
//   program may have left the group of this process.
// - A terminal that hangs up (SIGHUP) signals only the leader of its session. SIGHUP is not passed
//   on to a program in another session.
// - A timer such as alarm() signals only this process.
bool is_passed_on(pid_t child, const siginfo_t& info, GroupWitness& witness) {
  const bool is_in_group = ::getpgid(child) == ::getpgrp();
  if (info.si_code != SI_KERNEL) return !(witness.has_got(info.si_signo) && is_in_group);
  if (info.si_signo == SIGINT || info.si_signo == SIGQUIT) return !is_in_group;
  if (info.si_signo == SIGHUP) {
    const bool is_leader = ::getsid(0) == ::getpid();
    return ::getsid(child) == ::getsid(0) && (!is_in_group || is_leader);
  }
  return true;
}

// Waits until the program ends. Sets the exit status, and whether the program was asked to end.
void wait_passing_signals_on(pid_t child, const sigset_t& awaited, GroupWitness& witness,
                             Ended& ended) {
  for (;;) {
    siginfo_t info{};
    const int signal = ::sigwaitinfo(&awaited, &info);
    if (signal < 0) continue;  // EINTR
    if (signal == SIGCHLD) {
      int status = 0;
      if (::waitpid(child, &status, WNOHANG) != child) continue;
      const int ended_by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      ended.exit_status = ended_by != 0 ? 128 + ended_by : WEXITSTATUS(status);
      ended.asked_to_end |= asks_to_end(ended_by);
      return;
    }
    const bool passes = is_passed_on(child, info, witness);
    if (passes) ::kill(child, signal);
    // The program gets the signal in two cases: this process passes it on, or the program is in the
    // same process group.
    if (passes || ::getpgid(child) == ::getpgrp()) ended.asked_to_end |= asks_to_end(signal);
  }
}

}  // namespace

ResolvedProgram resolve_program(const std::string& name) {
  const auto usable = [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  };
  bool exists = false;
  fs::path seen;
  const auto consider = [&](const fs::path& path) {
    std::error_code ignored;
    if (!exists && fs::exists(path, ignored)) {
      exists = true;
      seen = path;
    }
    return usable(path);
  };
  if (name.find('/') != std::string::npos) {
    if (consider(name)) return {name, 0, {}};
  } else if (!name.empty()) {
    const char* search = std::getenv("PATH");
    std::string_view rest = search ? search : "/usr/bin:/bin";
    while (true) {
      const auto colon = rest.find(':');
      const std::string_view folder = rest.substr(0, colon);
      const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
      if (consider(candidate)) return {candidate, 0, {}};
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
  }
  if (exists) {
    return {
        {}, not_executable, "cannot run '" + seen.string() + "': it is not an executable file."};
  }
  return {{}, not_found, "cannot run '" + name + "': there is no such program."};
}

Ended run_program(const fs::path& program, const std::vector<std::string>& arguments,
                  const Variables& added) {
  std::vector<std::string> texts = arguments;
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  Environment environment(added);

  sigset_t awaited = passed_on_signals();
  sigaddset(&awaited, SIGCHLD);
  sigset_t original;
  ::pthread_sigmask(SIG_BLOCK, &awaited, &original);
  // This process must receive SIGCHLD, which it ignores now if its parent ignored SIGCHLD.
  struct sigaction old_action {};
  struct sigaction default_action {};
  default_action.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &default_action, &old_action);

  // Start the witness before the program, because a signal may come as soon as the program runs.
  GroupWitness witness;

  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigmask(&attributes, &original);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  Ended ended;
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, program.c_str(), nullptr, &attributes, argv.data(), environment.data());
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    ended.exit_status = error == ENOENT ? not_found : not_executable;
    ended.problem = "cannot run '" + program.string() + "': " + std::strerror(error) + ".";
  } else {
    wait_passing_signals_on(child, awaited, witness, ended);
  }
  ended.elapsed_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
  ::sigaction(SIGCHLD, &old_action, nullptr);
  ::pthread_sigmask(SIG_SETMASK, &original, nullptr);
  return ended;
}

}  // namespace lapscope::launch
