#pragma once

#include <cstddef>
#include <cstdint>

#include "analyzer/intervals/units.h"

// What lapscope accepts of files that anybody may have made. Beyond these it refuses with a
// sentence that gives the limit.
namespace lapscope::analyzer::limits {

// A name of a kernel, function or range; NVIDIA's longest have some tens of kB.
inline constexpr Bytes text_bytes = Bytes{1} << 20;
// A row of a table, which may have a few names.
inline constexpr int row_bytes = 4 << 20;
inline constexpr std::size_t devices = 256;
inline constexpr std::size_t streams_of_device = std::size_t{1} << 17;
// Ids of devices.
inline constexpr std::int64_t device_ids = std::int64_t{1} << 16;
// Multiprocessors of a GPU, and registers, bytes, warps or blocks of one; more is not believed.
inline constexpr std::int64_t gpu_quantity = std::int64_t{1} << 30;
// Each has all measures, some kB.
inline constexpr int series_bins = 100000;
// NVTX ranges that are evaluated by name: so many names, and so many times the ops of the trace,
// which count in each of the ranges around them.
inline constexpr std::size_t range_names = 1000;
inline constexpr std::size_t times_in_ranges = 100;
// Each range's causes take a graph of all that ran meanwhile: so many ops in all, or so many times
// those of the trace, whichever is more.
inline constexpr std::size_t ops_explained = 2 * std::size_t{1'000'000};
inline constexpr std::size_t times_explained = 10;
// The contexts of all processes; a wait for the whole device may be for any of them.
inline constexpr std::size_t contexts = 4096;

// What an op takes in memory, with its call, while a trace is analyzed or drawn: by default as many
// ops are read as memory has room for (RowLimit, --max-ops).
inline constexpr std::int64_t bytes_of_op = 170;
// And one that is replayed, with its call: all of a scope that is no sample.
inline constexpr std::int64_t bytes_of_replayed_op = 1300;

// What bounds the time and the memory of an analysis, and is refused by nobody.

// Bytes of a name in JSON that is kept of a trace: longer ones are cut inside, so that a report
// with a thousand of them has less than 1 MB. Of other texts, as the command, there are a few.
inline constexpr std::size_t kept_name_bytes = 500;
inline constexpr std::size_t kept_text_bytes = std::size_t{16} << 10;
// Repeats of a run, or instances of a launch, that are compared: the exact test of their ranks
// takes the cube of it. Of more instances some are picked, evenly.
inline constexpr std::size_t repeats = 50;
// The most launches of an iteration that are matched one by one: to match two sequences takes the
// square of it. Longer iterations are not reported launch by launch.
inline constexpr std::size_t launches = 1000;
// Causes of an interval with more than twice as many ops, or as many calls, are found in a sample
// of so many ops (--sample): their graph and its replays take a second and 60 MB.
inline constexpr std::size_t sample_ops = std::size_t{1} << 16;
// Intervals of a sample, evenly spread: each has hundreds of iterations of most loops, and what is
// cut off at its ends is little of it.
inline constexpr std::size_t sample_intervals = 16;

// Calls before a launch that are looked through for what kept its thread: what kept it for longer
// is named after the nearest ones.
inline constexpr std::uint32_t steps_back = 1000;
// The steps of all launches together. If there are more, each launch is looked at through fewer,
// but at least these.
inline constexpr std::size_t steps_back_in_all = std::size_t{1} << 21;
inline constexpr std::uint32_t least_steps_back = 8;

// Between two writes of the recorder.
inline constexpr std::int64_t flush_period_ms = 3600000;

// The pages of larger traces are checked on demand: that takes about as long as to read them.
inline constexpr std::uintmax_t checked_bytes = std::uintmax_t{100} << 20;

inline constexpr std::uintmax_t summary_bytes = std::uintmax_t{64} << 20;
inline constexpr std::uintmax_t gate_file_bytes = std::uintmax_t{1} << 20;
// The parser takes a call for each part of a dotted key, and a stack ends.
inline constexpr std::ptrdiff_t dots_in_gate_line = 500;
// Keys, names and paths; range names with spaces are several words.
inline constexpr std::size_t gate_word_bytes = std::size_t{5} << 10;

}  // namespace lapscope::analyzer::limits
