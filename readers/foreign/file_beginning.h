#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

// How files begin, before their format is known.
namespace lapscope::analyzer {

// Whether it is a regular file with bytes. What the kernel makes when it is read, as /proc/kmsg,
// has no size, and may take for ever.
bool has_bytes(const std::filesystem::path& path);

// Its first bytes, at most so many; none of a file that has none or cannot be read.
std::string beginning_of(const std::filesystem::path& path, std::size_t most);

}  // namespace lapscope::analyzer
