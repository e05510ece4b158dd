#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::bench {

struct ScanResult {
  std::int64_t rows = 0;
  std::uint64_t sum = 0;  // of all values, modulo 2^64; it proves that they were read
};

// Reads the columns that `lapscope analyze` reads, table by table. The scan shows the least cost of
// reading the trace through SQLite on one thread. Throws std::runtime_error if a table is missing.
ScanResult scan_trace(const std::filesystem::path& path);

}  // namespace lapscope::bench
