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

// Runs the lapscope command that was built with the tests, with empty standard input. `environment`
// is added to the test's environment. The configuration file of the user is ignored.
CommandResult run_lapscope(
    std::vector<std::string> arguments,
    const std::vector<std::pair<std::string, std::string>>& environment = {});

// Runs the command in this process, with the environment of the test. Under AddressSanitizer, most
// of a command's time is the start of a process. Hundreds of runs therefore call this function.
CommandResult run_in_process(std::vector<std::string> arguments);

// Replaces each run of white space by one space, because line breaks depend on the lengths of
// paths.
std::string on_one_line(const std::string& text);

}  // namespace lapscope::test
