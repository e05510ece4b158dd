#pragma once

#include <cstdint>

#include "collector/trace/trace_writer.h"
#include "tests/bench/trace_generator.h"

// Describes the fictitious machine and process of a synthetic trace.
namespace lapscope::bench {

inline constexpr std::uint32_t synthetic_pid = 4711;
inline constexpr std::int64_t kernel_names = 50;

// Contexts and streams are numbered as in CUPTI. Stream 7 is the legacy default stream of the first
// context.
constexpr std::int64_t context_of(std::int64_t device) { return device + 1; }
constexpr std::int64_t stream_id(const TraceShape& shape, std::int64_t device, std::int64_t index) {
  return 7 + device * (shape.streams + 1) + 1 + index;
}
constexpr std::uint32_t thread_id(std::int64_t thread) {
  return synthetic_pid + static_cast<std::uint32_t>(thread);
}

// Writes facts, process, threads, GPUs, contexts and streams.
void write_target(trace::TraceWriter& trace, const TraceShape& shape);

// The number of records of each kind in a trace, and the end of the last record.
struct Totals {
  std::int64_t kernels = 0;
  std::int64_t memcpys = 0;
  std::int64_t memsets = 0;
  std::int64_t calls = 0;
  std::int64_t synchronizations = 0;
  std::int64_t events = 0;
  std::int64_t overheads = 0;
  std::int64_t ranges = 0;
  std::int64_t end = 0;  // ns since session start
};

// Writes the tables that a collector writes when the recording ends.
void write_totals(trace::TraceWriter& trace, const Totals& totals);

}  // namespace lapscope::bench
