#include "analyzer/model/name_pattern.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("without a star a pattern is the name itself") {
  REQUIRE(fits_pattern("step", "step"));
  REQUIRE_FALSE(fits_pattern("step 1", "step"));
  REQUIRE_FALSE(fits_pattern("Step", "step"));
}

TEST_CASE("a star stands for any characters, none included") {
  REQUIRE(fits_pattern("step 12", "step *"));
  REQUIRE(fits_pattern("step ", "step *"));
  REQUIRE(fits_pattern("", "*"));
  REQUIRE(fits_pattern("forward/layer3/attention", "*/layer*/att*"));
  REQUIRE_FALSE(fits_pattern("forward/block3/attention", "*/layer*/att*"));
  REQUIRE(fits_pattern("aaab", "*ab"));
}

}  // namespace
}  // namespace lapscope::analyzer
