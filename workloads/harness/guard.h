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
  exit_skipped = 77,  // No GPU, or not enough of them; the code by which CTest and Automake know a
                      // skipped test.
};

// The command line is wrong; the message names the option.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// This machine cannot run the program as asked: too few GPUs, too little memory, a library that is
// not installed. The message says what is missing; the program is skipped, not failed.
class SkippedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs the body of `main`. An exception becomes one sentence on stderr and an exit code.
int guard(std::string_view program, const std::function<void()>& body);

// Parses the command line into the options of `app`.
//
// Returns false if the answer was help, now printed. Throws UsageError, naming the option, if the
// command line is wrong.
bool parse_command_line(CLI::App& app, int argc, char** argv);

// The candidate that takes the fewest edits (insert, delete, replace a character) to become `name`,
// or nothing if even that one would need more than half of its characters changed.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// Turns a hang into a failure: a kernel that waits forever cannot be called back, so the process
// ends with exit_failed and a sentence on stderr if nobody calls `kick` for `limit`.
class Watchdog {
 public:
  // `sentence` says what hangs and has no full stop: "the rung chained does not finish".
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
  std::thread thread_;  // Last: it uses the others.
};

}  // namespace lapscope::workloads
