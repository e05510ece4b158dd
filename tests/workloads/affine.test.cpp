#include "workloads/harness/affine.h"

#include <cstdint>

#include "tests/catch.h"

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

}  // namespace
}  // namespace lapscope::workloads
