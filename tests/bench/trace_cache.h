#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::bench {

// Returns the path of a generated trace with this many ops. The program `generator` makes a missing
// trace. Throws std::runtime_error or std::filesystem::filesystem_error.
std::filesystem::path cached_trace(const std::filesystem::path& folder, std::int64_t ops,
                                   const std::filesystem::path& generator);

// Reads a whole file and returns the time in seconds.
double read_through(const std::filesystem::path& path);

}  // namespace lapscope::bench
