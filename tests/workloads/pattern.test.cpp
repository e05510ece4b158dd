#include "workloads/harness/pattern.h"

#include <utility>
#include <vector>

#include "tests/catch.h"

namespace lapscope::workloads {
namespace {

std::vector<std::uint32_t> mapped_pattern(std::size_t count, AffineMap map) {
  std::vector<std::uint32_t> data(count);
  fill_pattern(data);
  for (auto& value : data) value = map(value);
  return data;
}

TEST_CASE("the mapped pattern has no mismatch", "[workloads]") {
  const AffineMap map = power(step, 1000);
  REQUIRE_FALSE(find_mismatch(mapped_pattern(5000, map), map).has_value());
}

TEST_CASE("one wrong element is found, with what it should be", "[workloads]") {
  const AffineMap map = power(step, 1000);
  auto data = mapped_pattern(5000, map);
  data[4321] += 1;
  const auto wrong = find_mismatch(data, map);
  REQUIRE(wrong.has_value());
  REQUIRE(wrong->index == 4321);
  REQUIRE(wrong->found == wrong->expected + 1);
}

TEST_CASE("elements in each other's place are found", "[workloads]") {
  const AffineMap map = power(step, 1000);
  auto data = mapped_pattern(100, map);
  std::swap(data[10], data[60]);
  REQUIRE(find_mismatch(data, map)->index == 10);
}

TEST_CASE("a result of one iteration too many is found", "[workloads]") {
  REQUIRE(find_mismatch(mapped_pattern(100, power(step, 1001)), power(step, 1000)).has_value());
}

TEST_CASE("no data has no mismatch", "[workloads]") {
  REQUIRE_FALSE(find_mismatch({}, step).has_value());
}

}  // namespace
}  // namespace lapscope::workloads
