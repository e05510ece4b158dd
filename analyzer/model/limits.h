#pragma once

#include <cstddef>
#include <cstdint>

#include "analyzer/intervals/units.h"

// Limits on files, which are untrusted. By default, lapscope refuses a file that exceeds a limit,
// with a sentence that gives the limit. Comments describe the exceptions.
namespace lapscope::analyzer::limits {

// Bytes of a name of a kernel, function or range. The longest names in NVIDIA's code have some tens
// of kB.
inline constexpr Bytes text_bytes = Bytes{1} << 20;
// Bytes of a row of a table. A row may hold a few names.
inline constexpr int row_bytes = 4 << 20;
inline constexpr std::size_t devices = 256;
inline constexpr std::size_t streams_of_device = std::size_t{1} << 17;
// Ids of devices are below this.
inline constexpr std::int64_t device_ids = std::int64_t{1} << 16;
// Multiprocessors of a GPU, and registers, bytes, warps or blocks of a multiprocessor. Larger
// values are treated as not known.
inline constexpr std::int64_t gpu_quantity = std::int64_t{1} << 30;
// Bins of a time series. Each bin holds all measures and takes some kB.
inline constexpr int series_bins = 100000;
// Limits on the NVTX ranges that are evaluated. range_names: the number of different names.
// times_in_ranges: the ops in all these ranges, as a multiple of the ops of the trace. An op in
// several ranges is counted for each of them. If a limit is reached, further ranges are not
// evaluated.
inline constexpr std::size_t range_names = 1000;
inline constexpr std::size_t times_in_ranges = 100;
// The causes of a range are found in a graph of all ops that ran during the range. The graphs of
// all ranges together may have max(ops_explained, times_explained × ops of the trace) ops.
inline constexpr std::size_t ops_explained = 2 * std::size_t{1'000'000};
inline constexpr std::size_t times_explained = 10;
// CUDA contexts of all processes. A wait for the whole device may concern any of them.
inline constexpr std::size_t contexts = 4096;

// Bytes of memory that an op and its call take while a trace is analyzed or drawn. By default, the
// number of ops is limited to the number that fits in the machine's memory (RowLimit, --max-ops).
inline constexpr std::int64_t bytes_of_op = 170;
// Bytes of memory that an op and its call take in a replay. Without sampling, all ops of a scope
// are replayed.
inline constexpr std::int64_t bytes_of_replayed_op = 1300;

// Limits that bound the time and memory of an analysis. If one of them is exceeded, the analysis
// does less.

// The largest size in JSON, in bytes, of a name (kept_name_bytes) and of any other text of a trace
// (kept_text_bytes). Longer texts are cut in the middle (kept_name()). A report with a thousand
// names has less than 1 MB, because it has few other texts (for example the command).
inline constexpr std::size_t kept_name_bytes = 500;
inline constexpr std::size_t kept_text_bytes = std::size_t{16} << 10;
// The largest number of repeats of a run, or of instances of a launch, that are compared. The exact
// rank test takes time cubic in this number. If a launch has more instances, evenly spread
// instances are picked.
inline constexpr std::size_t repeats = 50;
// If an iteration has at most this many launches, its launches are matched one by one. Matching two
// sequences takes time quadratic in their length. An iteration with more launches is not reported
// launch by launch.
inline constexpr std::size_t launches = 1000;
// The default size of a sample in ops (--sample). A scope is sampled if its ops exceed twice this
// number, or if its calls exceed four times this number. Only the sample is then searched for
// causes. The graph of the sample and its replays take a second and 60 MB.
inline constexpr std::size_t sample_ops = std::size_t{1} << 16;
// The number of intervals in a sample. The intervals are spread evenly. For most loops, each
// interval has hundreds of iterations. So only a small part of the iterations is cut off at the
// ends of an interval.
inline constexpr std::size_t sample_intervals = 16;

// The largest number of calls before a launch that are searched for the cause of its late issue.
// These calls alone decide the cause, even if the delay began before them. The time before them is
// attributed to no cause.
inline constexpr std::uint32_t steps_back = 1000;
// The largest number of calls that are searched for all launches together. If steps_back calls for
// each launch exceed this number, fewer calls are searched for each launch. The least number for a
// launch is least_steps_back.
inline constexpr std::size_t steps_back_in_all = std::size_t{1} << 21;
inline constexpr std::uint32_t least_steps_back = 8;

// The longest time between two writes of the recorder. If a file states a longer time, this limit
// is used instead.
inline constexpr std::int64_t flush_period_ms = 3600000;

// The database pages of a larger trace are checked only with --check. The check takes about as long
// as reading the trace.
inline constexpr std::uintmax_t checked_bytes = std::uintmax_t{100} << 20;

inline constexpr std::uintmax_t summary_bytes = std::uintmax_t{64} << 20;
inline constexpr std::uintmax_t gate_file_bytes = std::uintmax_t{1} << 20;
// The largest number of dots in a line of a gate file. The parser recurses once for each part of a
// dotted key, and the stack is limited.
inline constexpr std::ptrdiff_t dots_in_gate_line = 500;
// Bytes of a word in a gate file, such as a key or a path. Spaces, tabs, "=" and "." separate
// words, also inside a name or a path.
inline constexpr std::size_t gate_word_bytes = std::size_t{5} << 10;

}  // namespace lapscope::analyzer::limits
