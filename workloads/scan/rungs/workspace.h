#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "workloads/harness/handles.h"

namespace lapscope::workloads::scan {

// What the blocks of a scan share: a counter that gives out tiles, and a word for each tile.
struct TileBoard {
  std::uint64_t* counter = nullptr;  // Epoch in the high half, tickets handed out in the low half.
  void* words = nullptr;             // TileStates<T> knows their layout.
};

// Device memory that a scan needs besides its arrays. All scans that use it must run in the same
// stream. It grows when a scan needs more. This is slow and waits for the device, so scan once
// before you measure.
class Workspace {
 public:
  // Returns words for the tiles. Each scan has a new epoch, and ignores words of other epochs. So
  // this function clears the words, in `stream`, only in two cases:
  // - The memory grows, or the word size changes. Old bytes could then look like tags.
  // - The host has counted 2^30 - 1 scans. After them, the 30-bit epoch in a tag repeats. The host
  //   does not count scans in replays of a CUDA graph. A program with at least 2^30 - 1 of these
  //   scans must clear the words itself.
  TileBoard board(std::uint64_t tiles, std::size_t word_bytes, cudaStream_t stream);

  // Returns device memory of at least `bytes` bytes, aligned to 256 bytes, not initialized. May
  // return null for 0 bytes.
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
