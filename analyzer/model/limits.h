#pragma once

#include <cstddef>
#include <cstdint>

#include "analyzer/intervals/units.h"

// Limits on files, which are untrusted. lapscope refuses a file that exceeds a limit, and names the
// limit. If a limit has another effect, its comment describes the effect.
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
// The largest number in the description of a GPU. For example, the description has the number of
// multiprocessors. A larger number counts as not known.
inline constexpr std::int64_t gpu_quantity = std::int64_t{1} << 30;
// Bins of a time series. A bin has a value of each measure and takes some kB.
inline constexpr int series_bins = 100000;
// Limits on the NVTX ranges that are evaluated. If one is reached, further ranges are not
// evaluated. range_names: the number of different names. times_in_ranges: the ops in all these
// ranges, as a multiple of the ops of the trace. An op in several ranges is counted several times.
inline constexpr std::size_t range_names = 1000;
inline constexpr std::size_t times_in_ranges = 100;
// Ops in the graphs of all ranges together: at most max(ops_explained, times_explained × ops of the
// trace). The graph of a range has all ops during the range.
inline constexpr std::size_t ops_explained = 2 * std::size_t{1'000'000};
inline constexpr std::size_t times_explained = 10;
// CUDA contexts of all processes. A wait for a whole device may concern each of them.
inline constexpr std::size_t contexts = 4096;

// Bytes of memory that an op and its call take while a trace is analyzed or drawn. The default
// limit on ops is the number that fits in the machine's memory (RowLimit, --max-ops).
inline constexpr std::int64_t bytes_of_op = 170;
// Bytes of memory that an op and its call take in a replay. Without sampling, all ops of a scope
// are replayed.
inline constexpr std::int64_t bytes_of_replayed_op = 1300;

// Limits on the time and memory of an analysis. If a limit is exceeded, the analysis does less.

// The most bytes of a name (kept_name_bytes), and of any other text of a trace (kept_text_bytes),
// in JSON. Longer texts are cut in the middle (kept_name()). So a thousand names take less than 1
// MB.
inline constexpr std::size_t kept_name_bytes = 500;
inline constexpr std::size_t kept_text_bytes = std::size_t{16} << 10;
// The exact rank test takes cubic time. So at most this many repeats of a run, or instances of a
// launch, are compared. If there are more instances, evenly spread ones are picked.
inline constexpr std::size_t repeats = 50;
// The launches of an iteration are matched one by one, which takes quadratic time. An iteration
// with more launches than this is not reported launch by launch.
inline constexpr std::size_t launches = 1000;
// Shapes of kernels that are kept of each rank (KernelShapes). A rank summary has up to 3 kB of
// them.
inline constexpr std::size_t kernel_shapes = 32;
// The default size of a sample in ops (--sample). A sample of n ops is used if a scope has more
// than 2 n ops or more than 4 n calls. In such a scope, causes are searched only in the sample. The
// graph of a sample and its replays take a second and 60 MB.
inline constexpr std::size_t sample_ops = std::size_t{1} << 16;
// The number of intervals of a sample, which are spread evenly over the scope. In most loops, an
// interval has hundreds of iterations, so the ends of the interval cut only a small share of them.
inline constexpr std::size_t sample_intervals = 16;

// To explain why a launch was issued late, lapscope examines the calls before it, at most this
// many. If the delay began earlier, the time before the examined calls gets no cause.
inline constexpr std::uint32_t steps_back = 1000;
// The most calls that lapscope examines for all late launches of a scope together. If `steps_back`
// calls for each launch would be more than this, lapscope examines fewer calls for each launch, but
// at least `least_steps_back`.
inline constexpr std::size_t steps_back_in_all = std::size_t{1} << 21;
inline constexpr std::uint32_t least_steps_back = 8;

// The limit on schema::fact::flush_period_ms, which is the time between two writes of the recorder.
// A longer time in a trace counts as this limit.
inline constexpr std::int64_t flush_period_ms = 3600000;

// The largest file whose database pages are checked without --check. The check takes about as long
// as reading the trace.
inline constexpr std::uintmax_t checked_bytes = std::uintmax_t{100} << 20;

inline constexpr std::uintmax_t summary_bytes = std::uintmax_t{64} << 20;
inline constexpr std::uintmax_t gate_file_bytes = std::uintmax_t{1} << 20;
// Dots in a line of a gate file. The parser recurses for each part of a dotted key.
inline constexpr std::ptrdiff_t dots_in_gate_line = 500;
// Bytes of a word in a gate file. Spaces, tabs, "=" and "." separate words, also inside names and
// paths.
inline constexpr std::size_t gate_word_bytes = std::size_t{5} << 10;

}  // namespace lapscope::analyzer::limits
