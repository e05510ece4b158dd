#include "workloads/scan/problem/float_bound.h"

#include <cmath>

#include "tests/catch.h"

namespace lapscope::workloads::scan {
namespace {

TEST_CASE("nothing is rounded without an addition", "[scan]") {
  REQUIRE(float_error_bound(0, 1e6) == 0);
}

TEST_CASE("one addition rounds by half a unit in the last place", "[scan]") {
  // 2^24 + 1 is halfway between two floats: the worst case there is.
  const float sum = 16777216.0F + 1.0F;
  const double error = std::abs(static_cast<double>(sum) - 16777217.0);
  REQUIRE(error == 1.0);
  REQUIRE(error <= float_error_bound(1, 16777217.0));
  REQUIRE(error > 0.99 * float_error_bound(1, 16777217.0));
}

TEST_CASE("the bound grows with the depth and ends where f32 promises nothing", "[scan]") {
  REQUIRE(float_error_bound(200, 1) > 1.99 * float_error_bound(100, 1));
  REQUIRE(std::isinf(float_error_bound(1 << 24, 1)));
}

TEST_CASE("no term of a sum is rounded more often than there are other terms", "[scan]") {
  REQUIRE(roundings_of(0, 100) == 0);
  REQUIRE(roundings_of(1, 100) == 0);
  REQUIRE(roundings_of(5, 100) == 4);
  REQUIRE(roundings_of(101, 100) == 100);
  REQUIRE(roundings_of(1 << 20, 100) == 100);
}

}  // namespace
}  // namespace lapscope::workloads::scan
