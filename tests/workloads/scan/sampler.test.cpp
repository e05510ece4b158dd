#include "workloads/scan/bench/sampler.h"

#include "tests/catch.h"

namespace lapscope::workloads::scan {
namespace {

TEST_CASE("steady samples are enough at the minimum, noisy ones at the maximum", "[scan]") {
  const Limits limits{.min_samples = 4, .max_samples = 6};
  REQUIRE_FALSE(is_enough({10, 10, 10}, 0, limits));
  REQUIRE(is_enough({10, 10, 10, 10}, 0, limits));
  REQUIRE_FALSE(is_enough({10, 12, 10, 12}, 0, limits));
  REQUIRE(is_enough({10, 12, 10, 12, 10, 12}, 0, limits));
}

TEST_CASE("when the time is up, three samples are enough", "[scan]") {
  REQUIRE_FALSE(is_enough({10, 20}, 9, {.max_seconds = 1}));
  REQUIRE(is_enough({10, 20, 30}, 9, {.max_seconds = 1}));
}

}  // namespace
}  // namespace lapscope::workloads::scan
