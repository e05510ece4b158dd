#include "analyzer/scope/tiles.h"

#include <random>

#include "analyzer/measures/measure.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Returns each tile as "start-end: ops".
std::vector<std::string> tiled(const Ops& ops, const std::vector<std::int64_t>& borders) {
  std::vector<std::string> tiles;
  for_each_tile(ops, whole(ops), borders, [&](const Scope& tile) {
    std::string text =
        std::to_string(tile.window.start) + "-" + std::to_string(tile.window.end) + ":";
    for (std::size_t i = 0; i < tile.ops.size(); ++i) text += " " + std::to_string(tile.ops[i]);
    tiles.push_back(text);
  });
  return tiles;
}

using Tiles = std::vector<std::string>;

TEST_CASE("an op across a border is in both tiles") {
  //          0123456789
  // borders  |   |    |
  // K        AA.BBB.CC
  REQUIRE(tiled(test::ops_in({"K AA.BBB.CC"}), {0, 4, 9}) == Tiles{"0-4: 0 1", "4-9: 1 2"});
}

TEST_CASE("an op that only touches a border is in one tile") {
  // borders  |  |  |
  // K        AAABBB
  REQUIRE(tiled(test::ops_in({"K AAABBB"}), {0, 3, 6}) == Tiles{"0-3: 0", "3-6: 1"});
}

TEST_CASE("a tile without ops is listed, a tile without length is not") {
  // borders  | |  ||  |
  // K        AA......B
  REQUIRE(tiled(test::ops_in({"K AA......B"}), {0, 2, 5, 5, 9}) ==
          Tiles{"0-2: 0", "2-5:", "5-9: 1"});
}

TEST_CASE("a long op is carried through all tiles that it reaches") {
  // K AAAAAAAAA
  // H .B..C....
  REQUIRE(tiled(test::ops_in({"K AAAAAAAAA", "H .B..C"}), {0, 3, 6, 9}) ==
          Tiles{"0-3: 0 1", "3-6: 0 2", "6-9: 0"});
}

TEST_CASE("times of the tiles add up to those of the whole") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    Ops drawn;
    for (unsigned i = 0; i < 1 + random() % 20; ++i) {
      const auto start = static_cast<std::int64_t>(random() % 80);
      test::add_op(drawn, {start, start + static_cast<std::int64_t>(random() % 20)},
                   all_engines[random() % 4], 1);
    }
    const Device device = test::device_with(drawn);
    const Subject subject(device, {});
    const Scope scope = whole(device.ops);
    std::vector<std::int64_t> borders = {scope.window.start, scope.window.end};
    for (int i = 0; i < 5; ++i) {
      borders.push_back(scope.window.start +
                        static_cast<std::int64_t>(random()) % (scope.window.length() + 1));
    }
    std::sort(borders.begin(), borders.end());
    std::int64_t sum = 0;
    std::int64_t busy = 0;
    std::int64_t wall = 0;
    for_each_tile(device.ops, scope, borders, [&](const Scope& tile) {
      const Activity activity = activity_of(subject, tile);
      sum += activity.sum;
      busy += activity.busy();
      wall += activity.window.length();
    });
    const Activity all = activity_of(subject, scope);
    INFO("seed " << seed);
    REQUIRE(sum == all.sum);
    REQUIRE(busy == all.busy());
    REQUIRE(wall == all.window.length());
  }
}

}  // namespace
}  // namespace lapscope::analyzer
