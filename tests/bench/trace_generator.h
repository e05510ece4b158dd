#pragma once

#include <cstdint>
#include <filesystem>

namespace lapscope::bench {

// Raise this version when the generator changes its traces. The benchmarks do not use cached traces
// of older versions.
inline constexpr int generator_version = 1;

struct TraceShape {
  std::int64_t ops = 0;      // kernels, copies and memsets together; at least 1
  std::int64_t devices = 1;  // 1 to 64
  std::int64_t streams = 4;  // of each device; 1 to 1024
  std::int64_t threads = 2;  // threads that issue work; at most the total number of streams
  std::uint64_t seed = 1;
  std::int64_t priorities = 1;  // number of stream priorities, which streams have in turn
};

// Writes the trace of a copy-compute-copy pipeline over several streams, without a GPU. Every op
// has a call. There are also events, waits, synchronizations, nested NVTX ranges, and times in
// which the GPU waits for the host. The same shape gives the same bytes. Facts and GPU names say
// that the trace is synthetic.
//
// `path` must not exist. The file appears there when it is complete. Throws std::invalid_argument
// for an impossible shape, and std::filesystem::filesystem_error or schema::SqliteError if the file
// cannot be written.
void generate_trace(const std::filesystem::path& path, const TraceShape& shape);

}  // namespace lapscope::bench
