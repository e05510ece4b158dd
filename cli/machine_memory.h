#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::cli {

// Returns the memory that this process may use, in bytes. This is at most the memory of the
// machine. The control groups of the process (cgroup v1 or v2) may limit it further. `root` is the
// folder that contains /proc and /sys. Returns the largest number of the type if nothing is known.
std::int64_t machine_memory(const std::filesystem::path& root = "/");

}  // namespace lapscope::cli
