#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

// Reads the beginning of a file whose format is not known yet.
namespace lapscope::analyzer {

// Returns whether the path is a regular file with a size above 0. A file that Linux generates on
// reading, such as /proc/kmsg, has size 0, and reading it may never end.
bool has_bytes(const std::filesystem::path& path);

// Returns up to `most` bytes from the start of the file. Returns an empty string if the file is
// empty or cannot be read.
std::string beginning_of(const std::filesystem::path& path, std::size_t most);

}  // namespace lapscope::analyzer
