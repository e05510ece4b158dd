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

TEST_CASE("names are near by few changed, missing or swapped letters, - and _ alike") {
  constexpr std::string_view names[] = {"min", "max", "forbid", "min_ops", "copy-hidden"};
  const auto nearest = [&names](std::string_view name) {
    return nearest_name(name, names).value_or("none");
  };
  CHECK(nearest("forbbid") == "forbid");
  CHECK(nearest("fobrid") == "forbid");
  CHECK(nearest("Forbid") == "forbid");
  CHECK(nearest("copy_hidden") == "copy-hidden");
  CHECK(nearest("mni") == "min");
  CHECK(nearest("hidden") == "copy-hidden");
  CHECK(nearest("xyzzy") == "none");
  CHECK(nearest("") == "none");
  CHECK(nearest(std::string(1000, 'x')) == "none");
  CHECK_FALSE(nearest_name("x", {}));
}

}  // namespace
}  // namespace lapscope::analyzer
