#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::bench {

struct ScanResult {
  std::int64_t rows = 0;
  std::uint64_t sum = 0;  // of all values, modulo 2^64; it proves that they were read
};

// Reads the columns that `lapscope analyze` reads, table by table. No single-threaded reader with
// SQLite is faster. Throws std::runtime_error if a table is missing.
ScanResult scan_trace(const std::filesystem::path& path);

}  // namespace lapscope::bench
