#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::bench {

// Raised whenever the same shape gives another trace, so that none is taken for the other.
inline constexpr int generator_version = 1;

struct TraceShape {
  std::int64_t ops = 0;      // kernels, copies and memsets together; at least 1
  std::int64_t devices = 1;  // 1 to 64
  std::int64_t streams = 4;  // of each device; 1 to 1024
  std::int64_t threads = 2;  // that issue work; not more than there are streams in all
  std::uint64_t seed = 1;
  std::int64_t priorities = 1;  // that streams have by turns
};

// Writes the trace that a copy-compute-copy pipeline over several streams would leave: every op
// with the call that issued it, event records and waits, synchronizations, nested NVTX ranges, and
// gaps where the host falls behind. The same shape gives the same bytes. No GPU is involved; the
// trace says so in its facts and in its GPUs' names.
//
// `path` must not exist; it appears when it is complete. Throws std::invalid_argument for a shape
// that cannot be, std::filesystem::filesystem_error or schema::SqliteError for a file that cannot
// be written.
void generate_trace(const std::filesystem::path& path, const TraceShape& shape);

}  // namespace lapscope::bench
