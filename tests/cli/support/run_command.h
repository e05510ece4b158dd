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

// Runs the lapscope command that was built with the tests, standard input empty. `environment` is
// added to that of the test. Whoever runs the tests may have a configuration file: it is not read.
CommandResult run_lapscope(
    std::vector<std::string> arguments,
    const std::vector<std::pair<std::string, std::string>>& environment = {});

// The same without a process of its own, which is most of what a command on a small trace costs
// under AddressSanitizer: for the hundreds of runs where only the result matters. It has the
// environment of the test.
CommandResult run_in_process(std::vector<std::string> arguments);

// `text` with each run of white space as one space: where a line breaks depends on the paths in it.
std::string on_one_line(const std::string& text);

}  // namespace lapscope::test
