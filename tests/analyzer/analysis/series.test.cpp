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

std::int64_t ns(const SeriesBin& bin, std::string_view name) {
  for (std::size_t i = 0; i < measures().size(); ++i) {
    if (measures()[i]->name == name) return std::get<Nanoseconds>(bin.values.at(i)).count;
  }
  FAIL("no measure " << name);
  return 0;
}

TEST_CASE("each stretch is measured by what ran in it") {
  //   0    5    10
  // K AAAAAA....     busy 5 of 5, 1 of 5
  // H ...BBB....     sum 7, 2
  const auto series = series_in({"K AAAAAA....C", "H ...BBB"}, 2);
  // 11 ns: the first stretch takes 5 of them, the second 6
  REQUIRE(series.size() == 2);
  REQUIRE(series[0].window == Interval{0, 5});
  REQUIRE(series[1].window == Interval{5, 11});
  REQUIRE(ns(series[0], "busy") == 5);
  REQUIRE(ns(series[0], "sum") == 7);
  REQUIRE(ns(series[1], "busy") == 2);
  REQUIRE(ns(series[1], "sum") == 3);
  REQUIRE(series[1].ops == 3);
}

TEST_CASE("a stretch in which nothing ran is idle, and its ratios are not defined") {
  const auto series = series_in({"K A.......B"}, 3);
  REQUIRE(series[1].ops == 0);
  REQUIRE(ns(series[1], "idle") == 3);
  REQUIRE(std::holds_alternative<Undefined>(series[1].values[0]));
}

TEST_CASE("there are no more stretches than ns, and none of a window without length") {
  REQUIRE(series_in({"K AAA"}, 100).size() == 3);
  REQUIRE(series_in({"K |"}, 4).empty());
  REQUIRE(series_in({"K AAA"}, 0).empty());
}

}  // namespace
}  // namespace lapscope::analyzer
