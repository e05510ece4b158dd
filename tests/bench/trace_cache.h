#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::bench {

// The generated trace of so many ops in a folder, made by the program `generator` if it is not
// there yet. Throws std::runtime_error or std::filesystem::filesystem_error.
std::filesystem::path cached_trace(const std::filesystem::path& folder, std::int64_t ops,
                                   const std::filesystem::path& generator);

// Reads a file from begin to end and returns how many seconds that took.
double read_through(const std::filesystem::path& path);

}  // namespace lapscope::bench
