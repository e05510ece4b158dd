#include "analyzer/model/run_sort.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using Order = std::vector<std::uint32_t>;

Order sorted(const std::vector<int>& values) {
  Order order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  run_sort(order, [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  return order;
}

TEST_CASE("runs are merged, and equal entries keep their order") {
  REQUIRE(sorted({}).empty());
  REQUIRE(sorted({1, 2, 3}) == Order{0, 1, 2});
  REQUIRE(sorted({3, 2, 1}) == Order{2, 1, 0});
  REQUIRE(sorted({5, 6, 1, 2, 5}) == Order{2, 3, 0, 4, 1});
  REQUIRE(sorted({1, 1, 1}) == Order{0, 1, 2});
}

TEST_CASE("any order is sorted as std::stable_sort does it") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    std::vector<int> values(random() % 60);
    for (int& value : values) value = static_cast<int>(random() % 20);
    Order expected(values.size());
    std::iota(expected.begin(), expected.end(), 0U);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
    REQUIRE(sorted(values) == expected);
  }
}

}  // namespace
}  // namespace lapscope::analyzer
