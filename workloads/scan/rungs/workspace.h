#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "workloads/harness/handles.h"

namespace lapscope::workloads::scan {

// Where the blocks of a single-pass scan meet: a counter that hands out tiles, and a word per tile.
struct TileBoard {
  std::uint64_t* counter = nullptr;  // Epoch in the high half, tickets handed out in the low half.
  void* words = nullptr;             // TileStates<T> knows their layout.
};

// The device memory that a scan needs besides its arrays. Scans that share one run in one stream.
//
// It grows on demand, which allocates, waits for the device and is slow: do one scan before timing.
class Workspace {
 public:
  // Words of the tiles that no scan mistakes for its own. They need no reset between scans, because
  // each is tagged with the epoch of the scan that wrote it and the scan itself moves the epoch on.
  // They are cleared, in `stream`, only
  // - when they grow or change size, because old values could then look like tags, and
  // - after 2^30 - 1 scans, before the 30 bits of the epoch in a tag repeat. The count is the
  //   host's: a CUDA graph that replays a scan more often than that needs its own reset.
  TileBoard board(std::uint64_t tiles, std::size_t word_bytes, cudaStream_t stream);

  // At least `bytes` of memory aligned to 256 bytes, with any content; nothing of no bytes.
  void* scratch(std::size_t bytes);

 private:
  std::optional<DeviceBuffer<std::byte>> board_;
  std::size_t board_bytes_ = 0;
  std::size_t word_bytes_ = 0;
  std::uint32_t scans_ = 0;
  std::optional<DeviceBuffer<std::byte>> scratch_;
  std::size_t scratch_bytes_ = 0;
};

}  // namespace lapscope::workloads::scan
