#include <algorithm>
#include <random>

#include "analyzer/analysis/series.h"
#include "analyzer/measures/measure.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

std::vector<SeriesBin> series_in(std::initializer_list<std::string_view> lanes, std::int64_t bins) {
  const Device device = test::device_with(test::ops_in(lanes));
  return series_of(Subject(device, {}), whole(device.ops), bins);
}

TEST_CASE("there are no more stretches than ns, and none of a window without length") {
  REQUIRE(series_in({"K AAA"}, 100).size() == 3);
  REQUIRE(series_in({"K |"}, 4).empty());
  REQUIRE(series_in({"K AAA"}, 0).empty());
}

const Spread& spread(const IterationsResult& result, std::string_view name) {
  for (const Spread& candidate : result.steady) {
    if (candidate.measure->name == name) return candidate;
  }
  FAIL("no measure " << name);
  return result.steady.front();
}

TEST_CASE("the first and the last iteration are not part of the steady state") {
  // The borders of five iterations of 8, 4, 4, 6 and 3 ns:
  //   |       |   |   |     |
  // K AAAAAA..BBB.CCC.DDD...EEE
  // H AA......BB..CC..DD....EE.
  const Device device = test::device_with(
      test::ops_in({"K AAAAAA..BBB.CCC.DDD...EEE", "H AA......BB..CC..DD....EE"}));
  const IterationsResult result = measure_iterations(
      Subject(device, {}), whole(device.ops), {"test", 0, {0, 8, 12, 16, 22, 25}, {2, 2, 2, 2, 2}});
  REQUIRE(result.count == 5);
  REQUIRE(result.ops_per_iteration == 2);
  const Spread& walls = spread(result, "wall");
  REQUIRE(walls.defined == 3);
  REQUIRE(walls.least == 4);
  REQUIRE(walls.median == 4);
  REQUIRE(walls.most == 6);
  REQUIRE(spread(result, "idle").most == 3);
  REQUIRE(spread(result, "copy_hidden").median == 1.0);
  const auto at = std::find(measures().begin(), measures().end(), &wall) - measures().begin();
  REQUIRE(std::get<Nanoseconds>(result.first.at(static_cast<std::size_t>(at))).count == 8);
}

void check_quartiles_of_walls(unsigned seed, unsigned iterations) {
  std::mt19937 random(seed);
  std::vector<std::int64_t> borders = {0};
  std::vector<std::int64_t> walls;
  for (unsigned i = 0; i < iterations; ++i) {
    walls.push_back(1 + static_cast<std::int64_t>(random() % 9));
    borders.push_back(borders.back() + walls.back());
  }
  const std::string picture = "K " + std::string(static_cast<std::size_t>(borders.back()), 'A');
  const Device device = test::device_with(test::ops_in({picture}));
  const std::vector<std::uint32_t> ops(walls.size(), 1);
  const IterationsResult result =
      measure_iterations(Subject(device, {}), whole(device.ops), {"test", 0, borders, ops});
  std::vector<std::int64_t> steady(walls.begin() + 1, walls.end() - 1);
  std::sort(steady.begin(), steady.end());
  const auto at = [&](std::size_t quarters) {
    return static_cast<double>(steady[(steady.size() - 1) * quarters / 4]);
  };
  const Spread& wall = spread(result, "wall");
  INFO("seed " << seed);
  REQUIRE(std::vector{wall.least, wall.quartile1, wall.median, wall.quartile3, wall.most} ==
          std::vector{at(0), at(1), at(2), at(3), at(4)});
  REQUIRE(spread(result, "busy").defined == static_cast<std::int64_t>(walls.size()) - 2);
}

TEST_CASE("quartiles are those of the sorted values, whatever their number") {
  for (unsigned seed = 0; seed < 300; ++seed) check_quartiles_of_walls(seed, 4 + seed % 12);
}

TEST_CASE("quartiles are those of the sorted values where several threads measure") {
  check_quartiles_of_walls(1, 20'000);
}

TEST_CASE("a measure that no iteration defines has no spread") {
  const Device device = test::device_with(test::ops_in({"K AABBCCDD"}));
  const IterationsResult result = measure_iterations(Subject(device, {}), whole(device.ops),
                                                     {"test", 0, {0, 2, 4, 6, 8}, {1, 1, 1, 1}});
  REQUIRE(spread(result, "copy_hidden").defined == 0);
  REQUIRE(spread(result, "wall").defined == 2);
}

TEST_CASE("iterations that overlap are cut where the next one begins") {
  // The copy of the next iteration overlaps with the kernel of this one.
  //   |  |  |  |
  // H AAABBBCCCDDD...
  // K ...aaabbbcccddd
  const Device device = test::device_with(test::ops_in({"H AAABBBCCCDDD", "K ...aaabbbcccddd"}));
  const IterationsResult result = measure_iterations(Subject(device, {}), whole(device.ops),
                                                     {"test", 0, {0, 3, 6, 9, 15}, {2, 2, 2, 2}});
  REQUIRE(spread(result, "wall").median == 3);
  REQUIRE(spread(result, "overlap_ratio").median == 0.5);
}

}  // namespace
}  // namespace lapscope::analyzer
