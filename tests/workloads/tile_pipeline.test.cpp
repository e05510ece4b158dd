#include <utility>
#include <vector>

#include "tests/catch.h"
#include "workloads/harness/tile_pipeline.h"

namespace lapscope::workloads {
namespace {

TEST_CASE("tiles are assigned to the streams in turn and cover the array", "[workloads]") {
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

constexpr std::size_t buffers = 2;

// The end times of tiles. In the middle, a tile ends every 300 us.
//
//   tile  0        1        2     3     4     5     6     7     8
//   ms    0       0.9      1.8   2.1   2.4   2.7   3.0   3.1   9.0
//                           |-----------------------|  the middle
std::vector<double> filling_and_draining() {
  return {0, 900, 1800, 2100, 2400, 2700, 3000, 3100, 9000};
}

TEST_CASE("the pace is that of the middle of a pipeline", "[workloads]") {
  REQUIRE(steady_period_us(filling_and_draining(), buffers).value() == 300);
}

TEST_CASE("tiles that start late are as fast as others", "[workloads]") {
  std::vector<double> ends_us = filling_and_draining();
  for (double& end_us : ends_us) end_us += 123;
  REQUIRE(steady_period_us(ends_us, buffers).value() == 300);
}

TEST_CASE("the order in which tiles end does not matter", "[workloads]") {
  std::vector<double> ends_us = filling_and_draining();
  std::swap(ends_us[1], ends_us[3]);
  std::swap(ends_us[2], ends_us[7]);
  REQUIRE(steady_period_us(ends_us, buffers).value() == 300);
}

TEST_CASE("a pause in the middle counts", "[workloads]") {
  std::vector<double> ends_us = filling_and_draining();
  for (std::size_t i = 5; i < ends_us.size(); ++i) ends_us[i] += 400;
  REQUIRE(steady_period_us(ends_us, buffers).value() == 400);
}

// With two buffers, the first two and the last two tiles do not count. The middle must have at
// least three periods, which lie between four tiles. So at least 2 + 4 + 2 tiles are needed.
TEST_CASE("seven tiles in two buffers have no middle and eight have one", "[workloads]") {
  std::vector<double> ends_us{0, 1, 2, 3, 4, 5, 6};
  REQUIRE_FALSE(steady_period_us(ends_us, buffers).has_value());
  ends_us.push_back(7);
  REQUIRE(steady_period_us(ends_us, buffers).value() == 1);
  REQUIRE_FALSE(steady_period_us(ends_us, buffers + 1).has_value());
  REQUIRE_FALSE(steady_period_us({}, buffers).has_value());
}

TEST_CASE("the busiest engine bounds a pipeline, whichever it is", "[workloads]") {
  REQUIRE(engine_bound_us(3, 2, 1) == 3);
  REQUIRE(engine_bound_us(1, 3, 2) == 3);
  REQUIRE(engine_bound_us(2, 1, 3) == 3);
}

}  // namespace

}  // namespace lapscope::workloads
