#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/schema/tables/capture_rows.h"

namespace lapscope::inject {

// Return the command line of this process, or of `arguments`. Each argument is quoted so that a
// shell would read it back.
std::string command_line();
std::string quoted_line(const std::vector<std::string>& arguments);
std::string executable();

// Returns the number of processors that the process may use; 0 if it is not known.
int processors();

// Returns the version of the NVIDIA driver, from the file name of the loaded libcuda
// (libcuda.so.580.159.04). Returns nothing if it is unknown.
std::optional<std::string> driver_version();

// Returns the variables of environment::stored that are set.
std::vector<schema::EnvironmentRow> stored_environment();

// Returns readings of all clocks that were taken within 10 us, so that a pause of this thread
// hardly changes the differences between the clocks. If each of 100 attempts takes longer, returns
// the readings of the shortest attempt. If a difference changes from one call of read_clocks() to
// the next, a clock was stepped.
schema::ClockRow read_clocks(std::string_view label);

// Returns an argument with the quotes that a POSIX shell needs.
std::string shell_quoted(std::string_view argument);

// Returns the folder that the collector library was loaded from.
std::filesystem::path own_folder();

}  // namespace lapscope::inject
