#pragma once

#include <optional>
#include <string_view>

#include "workloads/harness/handles.h"

namespace lapscope::workloads {

enum class Variant {
  serial,          // Everything in one stream.
  default_stream,  // Blocking streams, and a short kernel per tile in the legacy default stream.
  overlapped,      // Non-blocking streams, and the short kernel in the stream of its tile.
  staged,          // A non-blocking stream for each engine, joined by events.
};

std::string_view variant_name(Variant variant);

// Throws UsageError, listing the variants, if `name` is none of them.
Variant parse_variant(std::string_view name);

// Where a variant puts its work: the only difference between the variants.
struct StreamLayout {
  int streams = 1;
  int buffers = 1;  // Tiles on the device at a time.
  StreamKind kind = StreamKind::non_blocking;
  bool stamp_in_default_stream = false;
  bool stream_per_stage = false;  // Copy in, compute, copy out, stamp; else a stream per buffer.
};

constexpr int pipeline_stages = 4;

StreamLayout layout_of(Variant variant, int streams);

struct Options {
  Variant variant = Variant::overlapped;
  int tiles = 24;
  int streams = 3;
  int tile_mib = 16;
  std::optional<double> kernel_us = 300.0;  // Empty: as long as the copy of a tile.
  int repeats = 1;
  bool engine_bound = false;  // Time the engines, too, and compare the pipeline with the busiest.
};

// "auto", or a number of microseconds. Throws UsageError if `text` is neither.
std::optional<double> parse_kernel_us(std::string_view text);

// Throws UsageError, naming the option and its limits, if a value is out of range.
void validate(const Options& options);

// The checked options, or nothing if the user asked for help, now printed. Throws UsageError.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace lapscope::workloads
