#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lapscope::workloads {

// One tile of a host array, and the stream that processes it.
struct Tile {
  std::size_t index = 0;   // Position in the array and in the order of issue.
  std::size_t offset = 0;  // First element, in elements of the whole array.
  std::size_t stream = 0;  // Index of its stream and of that stream's device buffer.
  std::string label;       // "tile 7": the name of its NVTX range.
};

// Deals `tiles` tiles of `elements_per_tile` elements to `streams` streams in turn.
std::vector<Tile> schedule_tiles(std::size_t tiles, std::size_t streams,
                                 std::size_t elements_per_tile);

}  // namespace lapscope::workloads
