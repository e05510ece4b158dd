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

// Runs the lapscope command of this build with empty standard input, in the test's environment plus
// `environment`. Ignores the user's configuration file.
CommandResult run_lapscope(
    std::vector<std::string> arguments,
    const std::vector<std::pair<std::string, std::string>>& environment = {});

// Like run_lapscope(), but runs the command in this process. Use this function in tests with many
// runs: under AddressSanitizer, the start of a process takes longer than a command.
CommandResult run_in_process(std::vector<std::string> arguments);

// Replaces all white space by single spaces, because line breaks depend on the lengths of paths.
std::string on_one_line(const std::string& text);

}  // namespace lapscope::test
