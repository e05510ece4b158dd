#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/harness/free_memory.h"
#include "workloads/harness/handles.h"

namespace lapscope::workloads::scan {

enum class StreamedVariant {
  one_stream,    // Everything in one stream: nothing overlaps.
  legacy_carry,  // Blocking streams, and the carry in the legacy default stream.
  overlapped,    // Non-blocking streams; events order the carries.
};

std::string_view name_of(StreamedVariant variant);

// Throws UsageError, which lists the variants.
StreamedVariant parse_streamed_variant(std::string_view name);

// The streams that a variant uses. The variants differ in nothing else.
struct StreamedLayout {
  int streams = 1;
  StreamKind kind = StreamKind::non_blocking;
  bool carry_in_default_stream = false;
};

StreamedLayout layout_of(StreamedVariant variant, int streams);

struct StreamedOptions {
  StreamedVariant variant = StreamedVariant::overlapped;
  std::uint64_t n = std::uint64_t{1} << 27;  // Number of u32 elements; the host holds two arrays.
  int streams = 3;                           // Also the number of device buffers.
  int chunk_mib = 16;

  std::uint64_t chunk() const;  // In elements.
};

// Returns the checked options, or nothing after printing the help. Throws UsageError.
std::optional<StreamedOptions> parse_streamed_options(int argc, char** argv);

// A part of a host array that passes through the GPU.
struct Chunk {
  std::size_t index = 0;
  std::uint64_t offset = 0;  // First element, in elements of the whole array.
  std::uint64_t count = 0;   // At least 1.
  std::size_t lane = 0;      // Index of its stream and device buffer.
  std::string label;         // "chunk 7": the name of its NVTX range.
};

// Divides `n` elements into chunks of `chunk` elements. The last chunk may be shorter. Assigns the
// chunks to `lanes` streams in turn. `chunk` and `lanes` must be at least 1.
std::vector<Chunk> plan_chunks(std::uint64_t n, std::uint64_t chunk, std::size_t lanes);

// Returns how much memory a run needs. The host has both arrays. The device has a chunk for each
// stream. CUDA itself needs memory on both. The workspaces of the scans are negligible.
Memory memory_for(const StreamedOptions& options);

}  // namespace lapscope::workloads::scan
