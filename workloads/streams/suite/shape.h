#pragma once

#include <cstddef>
#include <cstdint>

namespace lapscope::workloads::streams {

// How much work a case does. Small by default, so that a recording stays small.
struct Shape {
  int tiles = 12;  // Tiles of a pipeline; what else a case repeats follows from it.
  int tile_mib = 8;
  double kernel_us = 130;  // Wanted length of the kernel of a tile: shorter than its copies.

  std::size_t tile_bytes() const { return static_cast<std::size_t>(tile_mib) << 20; }
  std::size_t tile_elements() const { return tile_bytes() / sizeof(std::uint32_t); }
};

}  // namespace lapscope::workloads::streams
