#include "workloads/harness/calibration.h"

#include <stdexcept>

#include "tests/catch.h"

namespace lapscope::workloads {
namespace {

bool near(double a, double b) { return a - b < 1e-9 && b - a < 1e-9; }

TEST_CASE("two probes give the fixed cost and the rate", "[workloads]") {
  const LinearCost cost = fit_linear_cost({100, 27}, {300, 77});
  REQUIRE(near(cost.fixed_us, 2));
  REQUIRE(near(cost.us_per_unit, 0.25));
  REQUIRE(near(cost.predict_us(1000), 252));
}

TEST_CASE("a wanted time gives the nearest number of units", "[workloads]") {
  const LinearCost cost{2, 0.25};
  REQUIRE(cost.units_for(252) == 1000);
  REQUIRE(cost.units_for(252.1) == 1000);
  REQUIRE(cost.units_for(252.2) == 1001);
}

TEST_CASE("at least one unit of work remains below the fixed cost", "[workloads]") {
  REQUIRE(LinearCost{20, 0.25}.units_for(10) == 1);
}

TEST_CASE("a wanted time beyond 32 bits of units is clamped", "[workloads]") {
  REQUIRE(LinearCost{0, 1e-9}.units_for(1e6) == 4294967295U);
}

TEST_CASE("noise that inverts the probes leaves a line through the origin", "[workloads]") {
  const LinearCost cost = fit_linear_cost({100, 80}, {300, 75});
  REQUIRE(near(cost.fixed_us, 0));
  REQUIRE(near(cost.us_per_unit, 0.25));
}

TEST_CASE("probes that cannot define a rate are an error", "[workloads]") {
  REQUIRE_THROWS_AS(fit_linear_cost({100, 0}, {300, 0}), std::runtime_error);
  REQUIRE_THROWS_AS(fit_linear_cost({300, 10}, {300, 10}), std::runtime_error);
}

}  // namespace
}  // namespace lapscope::workloads
