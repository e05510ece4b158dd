#pragma once

#include <optional>
#include <string_view>

#include "workloads/harness/free_memory.h"
#include "workloads/harness/handles.h"

namespace lapscope::workloads {

enum class Variant {
  serial,          // Everything in one stream.
  default_stream,  // Blocking streams, and a short kernel per tile in the legacy default stream.
  overlapped,      // Non-blocking streams, and the short kernel in one of its own.
  per_buffer,      // A non-blocking stream for each buffer, instead of one for each engine.
};

std::string_view variant_name(Variant variant);

// Throws UsageError, listing the variants, if `name` is none of them.
Variant parse_variant(std::string_view name);

// Where a variant puts its work: the only difference between the variants.
struct StreamLayout {
  int buffers = 1;  // Tiles on the device at a time.
  StreamKind kind = StreamKind::non_blocking;
  bool stream_per_engine = false;  // Copy in, compute, copy out; else a stream per buffer.
  bool stamp_in_default_stream = false;

  // Streams that the program makes: the stamps have their own among those of the engines.
  int streams() const;
};

StreamLayout layout_of(Variant variant, int buffers);

struct Options {
  Variant variant = Variant::overlapped;
  int tiles = 24;
  int buffers = 4;
  int tile_mib = 16;
  std::optional<double> kernel_us = 300.0;  // Empty: as long as the copy of a tile.
  int repeats = 1;
  bool engine_bound = false;  // Time the engines, too, and compare the pipeline with the busiest.
};

// "auto", or a number of microseconds. Throws UsageError if `text` is neither.
std::optional<double> parse_kernel_us(std::string_view text);

// Throws UsageError, naming the option and its limits, if a value is out of range.
void validate(const Options& options);

// What such a run may take at most.
Memory memory_needed(const Options& options);

// The checked options, or nothing if the user asked for help, now printed. Throws UsageError.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace lapscope::workloads
