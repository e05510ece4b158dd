#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::bench {

struct ScanResult {
  std::int64_t rows = 0;
  std::uint64_t sum = 0;  // of all values, modulo 2^64: proof that they were read
};

// Steps through the columns of a trace that `lapscope analyze` reads, and through no others, one
// table after the other: what any program pays that reads the trace through SQLite on one thread.
// Throws std::runtime_error when the file has no such tables.
ScanResult scan_trace(const std::filesystem::path& path);

}  // namespace lapscope::bench
