#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::bench {

// Returns the path of a generated trace with this many ops, which `generator` makes if necessary.
// Throws std::runtime_error or std::filesystem::filesystem_error.
std::filesystem::path cached_trace(const std::filesystem::path& folder, std::int64_t ops,
                                   const std::filesystem::path& generator);

// Reads a whole file. Returns the time in seconds.
double read_through(const std::filesystem::path& path);

}  // namespace lapscope::bench
