#include "tests/bench/child_run.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

namespace lapscope::bench {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::int64_t peak_rss(const rusage& usage) { return std::int64_t{usage.ru_maxrss} * 1024; }

pid_t start(const std::vector<std::string>& command) {
  std::vector<std::string> texts = command;
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, argv.front(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw std::runtime_error("'" + command.front() + "' cannot be run: " + std::strerror(error));
  }
  return pid;
}

struct Ended {
  Run run;
  int status = 0;  // exit status; -1 if a signal ended it
  int signal = 0;
};

Ended run(const std::vector<std::string>& command) {
  const auto begin = std::chrono::steady_clock::now();
  const pid_t pid = start(command);
  int status = 0;
  rusage usage{};
  while (::wait4(pid, &status, 0, &usage) < 0) {
    if (errno != EINTR) throw std::runtime_error(std::string("wait4: ") + std::strerror(errno));
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const Run run{wall.count(), seconds(usage.ru_utime) + seconds(usage.ru_stime), peak_rss(usage)};
  if (WIFEXITED(status)) return {run, WEXITSTATUS(status), 0};
  return {run, -1, WTERMSIG(status)};
}

std::string how(const std::vector<std::string>& command, const Ended& ended) {
  return "'" + command.front() + "' " +
         (ended.status >= 0 ? "exited with " + std::to_string(ended.status)
                            : "was ended by signal " + std::to_string(ended.signal));
}

}  // namespace

Run run_child(const std::vector<std::string>& command) {
  const Ended ended = run(command);
  if (ended.status != 0) throw std::runtime_error(how(command, ended));
  return ended.run;
}

std::optional<Run> run_unless_refused(const std::vector<std::string>& command) {
  constexpr int inconclusive = 3;
  constexpr int refused = 4;
  const Ended ended = run(command);
  if (ended.status == refused) return std::nullopt;
  if (ended.status != 0 && ended.status != inconclusive) {
    throw std::runtime_error(how(command, ended));
  }
  return ended.run;
}

std::int64_t own_peak_rss() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return peak_rss(usage);
}

}  // namespace lapscope::bench
