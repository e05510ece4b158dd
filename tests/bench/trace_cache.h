#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::bench {

// Returns the path of a generated trace with this many ops. If the folder lacks this trace, the
// program `generator` makes it. Throws std::runtime_error or std::filesystem::filesystem_error.
std::filesystem::path cached_trace(const std::filesystem::path& folder, std::int64_t ops,
                                   const std::filesystem::path& generator);

// Reads a whole file. Returns how long this took, in seconds.
double read_through(const std::filesystem::path& path);

}  // namespace lapscope::bench
