#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::cli {

// How much memory a process may have here, in bytes: what the machine has, or a control group of
// the process (of either version, or one around it) if that is less. `root` is where /proc and /sys
// are looked for. Nothing known: the largest number.
std::int64_t machine_memory(const std::filesystem::path& root = "/");

}  // namespace lapscope::cli
