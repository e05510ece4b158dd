#include "analyzer/analysis/series.h"

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

}  // namespace
}  // namespace lapscope::analyzer
