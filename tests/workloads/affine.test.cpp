#include <cstdint>
#include <utility>
#include <vector>

#include "tests/catch.h"
#include "workloads/harness/affine.h"

namespace lapscope::workloads {
namespace {

std::uint32_t iterate(AffineMap map, std::uint32_t x, std::uint32_t times) {
  for (std::uint32_t k = 0; k < times; ++k) x = map(x);
  return x;
}

TEST_CASE("zero iterations are the identity", "[workloads]") {
  REQUIRE(power(step, 0) == AffineMap{1, 0});
}

TEST_CASE("one iteration is the map itself", "[workloads]") { REQUIRE(power(step, 1) == step); }

TEST_CASE("composition applies the inner map first", "[workloads]") {
  const AffineMap twice_plus_one{2, 1};
  const AffineMap plus_ten{1, 10};
  REQUIRE(compose(twice_plus_one, plus_ten)(3) == 27);
  REQUIRE(compose(plus_ten, twice_plus_one)(3) == 17);
}

TEST_CASE("the closed form agrees with the iteration it replaces", "[workloads]") {
  for (const std::uint32_t times : {2U, 3U, 7U, 8U, 31U, 64U, 1153U, 100000U}) {
    for (const std::uint32_t x : {0U, 1U, 12345U, 0x80000000U, 0xFFFFFFFFU}) {
      REQUIRE(power(step, times)(x) == iterate(step, x, times));
    }
  }
}

TEST_CASE("the step has the full period 2^32", "[workloads]") {
  REQUIRE(power(step, std::uint64_t{1} << 32) == AffineMap{1, 0});
  REQUIRE_FALSE(power(step, std::uint64_t{1} << 31) == AffineMap{1, 0});
}

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
