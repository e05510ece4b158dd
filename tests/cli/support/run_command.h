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
// added to that of the test.
CommandResult run_lapscope(
    std::vector<std::string> arguments,
    const std::vector<std::pair<std::string, std::string>>& environment = {});

}  // namespace lapscope::test
