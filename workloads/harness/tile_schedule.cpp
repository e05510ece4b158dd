#include "workloads/harness/tile_schedule.h"

namespace lapscope::workloads {

std::vector<Tile> schedule_tiles(std::size_t tiles, std::size_t streams,
                                 std::size_t elements_per_tile) {
  std::vector<Tile> schedule;
  schedule.reserve(tiles);
  for (std::size_t i = 0; i < tiles; ++i) {
    schedule.push_back({i, i * elements_per_tile, i % streams, "tile " + std::to_string(i)});
  }
  return schedule;
}

}  // namespace lapscope::workloads
