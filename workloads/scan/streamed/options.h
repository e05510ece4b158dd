#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "workloads/harness/handles.h"

namespace lapscope::workloads::scan {

enum class StreamedVariant {
  one_stream,    // Everything in one stream: nothing overlaps.
  legacy_carry,  // Blocking streams, and the carry in the legacy default stream.
  overlapped,    // Non-blocking streams; an event hands the carry on.
};

std::string_view name_of(StreamedVariant variant);

// Throws UsageError, listing the variants.
StreamedVariant parse_streamed_variant(std::string_view name);

// Where a variant puts its work: the only difference between the variants.
struct StreamedLayout {
  int streams = 1;
  StreamKind kind = StreamKind::non_blocking;
  bool carry_in_default_stream = false;
};

StreamedLayout layout_of(StreamedVariant variant, int streams);

struct StreamedOptions {
  StreamedVariant variant = StreamedVariant::overlapped;
  std::uint64_t n = std::uint64_t{1} << 27;  // Elements of u32; the host holds two arrays.
  int streams = 3;                           // And device buffers.
  int chunk_mib = 16;
};

// The checked options, or nothing if the user asked for help, now printed. Throws UsageError.
std::optional<StreamedOptions> parse_streamed_options(int argc, char** argv);

}  // namespace lapscope::workloads::scan
