#include "analyzer/intervals/median.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("the median is the lower one of two middle values", "[intervals]") {
  std::vector<int> one{7};
  std::vector<int> two{9, 2};
  std::vector<int> three{9, 2, 4};
  std::vector<int> four{9, 2, 4, 7};
  CHECK(median_of(one) == 7);
  CHECK(median_of(two) == 2);
  CHECK(median_of(three) == 4);
  CHECK(median_of(four) == 4);
}

TEST_CASE("each key has the median of its own values", "[intervals]") {
  const auto medians = medians_of<char, int>({{'a', {3, 1, 2}}, {'b', {8}}});
  CHECK(medians == std::map<char, int>{{'a', 2}, {'b', 8}});
}

}  // namespace
}  // namespace lapscope::analyzer
