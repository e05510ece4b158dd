#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lapscope::test {

struct CommandResult {
  int status = 0;  // exit status, or 128 + n for signal n
  std::string out;
  std::string err;
};

// Runs the lapscope command of this build with empty standard input. The command gets the test's
// environment and the variables in `environment`. It ignores the user's configuration file.
CommandResult run_lapscope(
    std::vector<std::string> arguments,
    const std::vector<std::pair<std::string, std::string>>& environment = {});

// Runs the command in this process, with the environment of the test. Use it for many runs: under
// AddressSanitizer, the start of a process takes longer than the command itself.
CommandResult run_in_process(std::vector<std::string> arguments);

// Replaces all white space by single spaces, because line breaks depend on the lengths of paths.
std::string on_one_line(const std::string& text);

}  // namespace lapscope::test
