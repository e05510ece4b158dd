#include "reports/words/format.h"

#include "tests/catch.h"

namespace lapscope::reports {
namespace {

TEST_CASE("durations take the unit that keeps them readable") {
  REQUIRE(format_ns(0) == "0 ns");
  REQUIRE(format_ns(999) == "999 ns");
  REQUIRE(format_ns(1'000) == "1.000 us");
  REQUIRE(format_ns(8'652'123) == "8.652 ms");
  REQUIRE(format_ns(-1'500'000'000) == "-1.500 s");
}

TEST_CASE("a duration just below a unit does not round up into four digits before the point") {
  REQUIRE(format_ns(999'999) == "999.999 us");
  REQUIRE(format_ns(999'999'499) == "999.999 ms");
  REQUIRE(format_ns(999'999'999) == "1.000 s");
}

TEST_CASE("values show their unit, or that there is none") {
  REQUIRE(format_value(analyzer::Ratio{2, 3}) == "0.667");
  REQUIRE(format_value(analyzer::Ratio{-1, 8}) == "-0.125");
  REQUIRE(format_value(analyzer::Nanoseconds{1'500}) == "1.500 us");
  REQUIRE(format_value(analyzer::Undefined{"no copies"}) == "n/a");
}

TEST_CASE("a ratio that rounds to nothing has no sign") {
  REQUIRE(format_value(analyzer::Ratio{-1, 10'000}) == "0.000");
}

TEST_CASE("shares of nothing are left out") {
  REQUIRE(format_share(1, 8) == "12.5 %");
  REQUIRE(format_share(1, 0).empty());
}

}  // namespace
}  // namespace lapscope::reports
