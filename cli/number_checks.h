#pragma once

#include <CLI/CLI.hpp>
#include <chrono>

namespace lapscope::cli {

// Return checks of the range of an option's number, with a description for help: "from 10 to
// 60000", "0 or more". at_least() also limits the number to 1e12, so that 1000 times the number
// still fits into a 64-bit integer. Unlike the validators of CLI11, these checks reject NaN.
CLI::Validator from_to(double least, double most);
CLI::Validator at_least(double least);

std::chrono::milliseconds milliseconds(double seconds);

}  // namespace lapscope::cli
