#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace CLI {
class App;
}

namespace lapscope::workloads {

// The exit codes of every workload.
enum ExitCode : int {
  exit_ok = 0,
  exit_failed = 1,    // A CUDA call failed or the result is wrong.
  exit_usage = 2,     // The command line is wrong.
  exit_skipped = 77,  // No GPU, or too few GPUs. CTest and Automake report a test with this code
                      // as skipped.
};

// The command line is wrong. The message names the option.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// This machine cannot run the program: it has too few GPUs, too little memory, or lacks a library.
// The message says what is missing. The program is skipped and has not failed.
class SkippedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs the body of `main` and returns the exit code. Prints an exception as one sentence on stderr.
int guard(std::string_view program, const std::function<void()>& body);

// Parses the command line into the options of `app`. For --help, prints the help and returns false,
// and the caller should end the program. Throws UsageError, which names the option.
bool parse_command_line(CLI::App& app, int argc, char** argv);

// Returns the candidate that needs the fewest edits to become `name`. An edit inserts, deletes or
// replaces one character. Ignores a candidate that needs more edits than half of its characters.
// Returns "" if no candidate is left.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// Turns a hang into a failure, because a kernel that waits forever cannot be stopped. If nobody
// calls `kick` for `limit`, prints a sentence to stderr and ends the process with exit_failed.
class Watchdog {
 public:
  // `sentence` says what hangs, such as "the rung chained does not finish". The message adds the
  // limit: " within 60 s.".
  Watchdog(std::chrono::seconds limit, std::string sentence);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  void kick();

 private:
  void watch();

  const std::chrono::seconds limit_;
  const std::string sentence_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::thread thread_;  // Last member: the thread uses the others.
};

}  // namespace lapscope::workloads
