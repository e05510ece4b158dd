#pragma once

#include <functional>
#include <stdexcept>
#include <string_view>

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

}  // namespace lapscope::workloads
