#pragma once

#include <CLI/CLI.hpp>

namespace lapscope::cli {

// Checks of an option's number, with words for help: "from 10 to 60000", "0 or more" (up to 1e12,
// so that a thousand times as much is still an integer). Unlike those of CLI11 they let no nan
// pass.
CLI::Validator from_to(double least, double most);
CLI::Validator at_least(double least);

}  // namespace lapscope::cli
