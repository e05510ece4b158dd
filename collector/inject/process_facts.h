#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/schema/tables/capture_rows.h"

namespace lapscope::inject {

// What the process knows about itself, without any CUDA call.

// The command line, or the given one, each argument quoted so that a shell would read it back.
std::string command_line();
std::string quoted_line(const std::vector<std::string>& arguments);
std::string executable();

// How many processors the process may use; 0 when the system does not say.
int processors();

// The NVIDIA driver's version as in the file name of the loaded libcuda (libcuda.so.580.159.04).
std::optional<std::string> driver_version();

// The variables of environment::stored that are set.
std::vector<schema::EnvironmentRow> stored_environment();

// The clocks, read so close together (10 us, or as close as it gets in 100 attempts) that a
// difference to another reading is a step of a clock and not a pause of this thread.
schema::ClockRow read_clocks(std::string_view label);

// "2026-11-21T03:04:05Z"
std::string iso_utc(std::int64_t utc_ns);

// One argument as a POSIX shell would need it.
std::string shell_quoted(std::string_view argument);

// The folder that the collector library was loaded from.
std::filesystem::path own_folder();

}  // namespace lapscope::inject
