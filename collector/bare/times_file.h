#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "collector/bare/range_times.h"

namespace lapscope::bare {

// The times that one process of a bare run reports.
struct ProcessTimes {
  std::string rank;  // empty if the process has none
  std::int64_t without_times = 0;
  std::vector<RangeTime> ranges;
};

// Writes the file of this process into a folder. Throws std::system_error on failure.
void write_times(const std::filesystem::path& folder, const ProcessTimes& times);

// Reads the files of all processes from a folder. Skips incomplete files of processes that were
// killed while they wrote.
std::vector<ProcessTimes> read_times(const std::filesystem::path& folder);

}  // namespace lapscope::bare
