#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "collector/bare/range_times.h"

namespace lapscope::bare {

// What one process of a bare run reports.
struct ProcessTimes {
  std::string rank;  // empty when it has none
  std::int64_t without_times = 0;
  std::vector<RangeTime> ranges;
};

// Writes the file of this process into a folder. Throws std::system_error when it cannot.
void write_times(const std::filesystem::path& folder, const ProcessTimes& times);

// What all processes have written into a folder. What cannot be read, because a process was killed
// while it wrote, is left out.
std::vector<ProcessTimes> read_times(const std::filesystem::path& folder);

}  // namespace lapscope::bare
