#pragma once

#include <optional>
#include <string_view>

#include "workloads/harness/free_memory.h"
#include "workloads/harness/handles.h"

namespace lapscope::workloads {

enum class Variant {
  serial,          // Everything in one stream.
  default_stream,  // Blocking streams, and a short kernel per tile in the legacy default stream.
  overlapped,      // Non-blocking streams, and a stream of its own for the short kernel.
  per_buffer,      // A non-blocking stream per buffer instead of per engine.
};

std::string_view variant_name(Variant variant);

// Throws UsageError, which lists the variants, if `name` is not a variant.
Variant parse_variant(std::string_view name);

// The streams that a variant uses. The variants differ in nothing else.
struct StreamLayout {
  int buffers = 1;  // Tiles on the device at the same time.
  StreamKind kind = StreamKind::non_blocking;
  bool stream_per_engine = false;  // Streams for copy in, compute, copy out; else one per buffer.
  bool stamp_in_default_stream = false;

  // Returns how many streams to create. If each engine has a stream, the stamps have one, too.
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
  bool engine_bound = false;  // Also time the engines; compare the pipeline with the busiest.
};

// Parses a number of microseconds; nothing for "auto". Throws UsageError for any other text.
std::optional<double> parse_kernel_us(std::string_view text);

// Throws UsageError, which names the option and its limits, if a value is out of range.
void validate(const Options& options);

// Returns how much memory a run needs at most.
Memory memory_needed(const Options& options);

// Returns the checked options, or nothing after printing the help. Throws UsageError.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace lapscope::workloads
