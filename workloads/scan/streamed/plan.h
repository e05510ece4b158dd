#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/scan/streamed/options.h"

namespace lapscope::workloads::scan {

// A part of a host array on its way through the GPU.
struct Chunk {
  std::size_t index = 0;
  std::uint64_t offset = 0;  // First element, in elements of the whole array.
  std::uint64_t count = 0;   // At least 1.
  std::size_t lane = 0;      // Its stream and its device buffer.
  std::string label;         // "chunk 7": the name of its NVTX range.
};

// Cuts `n` elements into chunks of `chunk` elements, the last one shorter, and deals them to
// `lanes` streams in turn. `chunk` and `lanes` are at least 1.
std::vector<Chunk> plan_chunks(std::uint64_t n, std::uint64_t chunk, std::size_t lanes);

// Elements of u32 in a chunk of `mib` MiB.
std::uint64_t elements_of(int mib);

struct Memory {
  std::uint64_t host_bytes = 0;
  std::uint64_t device_bytes = 0;
};

// What a run takes: both arrays on the host, and on the device a chunk for each stream. What the
// scans need beside their elements is small.
Memory memory_for(const StreamedOptions& options);

}  // namespace lapscope::workloads::scan
