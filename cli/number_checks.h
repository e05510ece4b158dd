#pragma once

#include <CLI/CLI.hpp>
#include <chrono>

namespace lapscope::cli {

// Return validators that limit the number of an option. Help describes the limits as "from 10 to
// 60000" or "0 or more". at_least() also limits the number to 1e12, so that 1000 times the number
// still fits into a 64-bit integer. Unlike the validators of CLI11, these validators reject NaN.
CLI::Validator from_to(double least, double most);
CLI::Validator at_least(double least);

std::chrono::milliseconds milliseconds(double seconds);

}  // namespace lapscope::cli
