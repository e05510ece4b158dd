#include "workloads/harness/tile_schedule.h"

#include "tests/catch.h"

namespace lapscope::workloads {
namespace {

TEST_CASE("tiles are dealt to the streams in turn and cover the array", "[workloads]") {
  // tile    0    1    2    3    4
  // stream  0    1    2    0    1
  // offset  0  100  200  300  400
  const auto schedule = schedule_tiles(5, 3, 100);
  REQUIRE(schedule.size() == 5);
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    REQUIRE(schedule[i].index == i);
    REQUIRE(schedule[i].offset == 100 * i);
    REQUIRE(schedule[i].stream == i % 3);
  }
  REQUIRE(schedule[4].label == "tile 4");
}

TEST_CASE("with one stream every tile is in it", "[workloads]") {
  for (const Tile& tile : schedule_tiles(4, 1, 10)) REQUIRE(tile.stream == 0);
}

TEST_CASE("more streams than tiles leave streams unused", "[workloads]") {
  const auto schedule = schedule_tiles(2, 8, 10);
  REQUIRE(schedule.size() == 2);
  REQUIRE(schedule[1].stream == 1);
}

}  // namespace
}  // namespace lapscope::workloads
