#include "analyzer/measures/measure.h"

#include <set>

#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::activity_of;
using test::add_op;
using test::ops_in;

Value of(const Measure& measure, std::initializer_list<std::string_view> lanes) {
  return measure.compute(activity_of(ops_in(lanes)));
}

bool is_undefined(const Value& value) { return std::holds_alternative<Undefined>(value); }

TEST_CASE("with one engine there is nothing to save") {
  REQUIRE(is_undefined(of(overlap_efficiency, {"H AAA..BBB"})));
}

TEST_CASE("what cannot be defined says why instead of being a number") {
  const Value no_copies = of(copy_hidden, {"K AAAA"});
  REQUIRE(std::get<Undefined>(no_copies).reason == "no copies on copy engines");
  REQUIRE(is_undefined(of(bidirectional, {"H AAAA"})));
  REQUIRE(is_undefined(of(overlap_ratio, {"K ..|.."})));
  REQUIRE(is_undefined(of(idle_ratio, {"K ..|.."})));
}

TEST_CASE("durations that add up to more than 63 bits are refused") {
  Ops ops;
  for (int i = 0; i < 2000; ++i) {
    add_op(ops, {0, latest_time}, Engine::compute);
  }
  REQUIRE_THROWS_AS(activity_of(ops), std::overflow_error);
}

TEST_CASE("every measure is registered once, with a definition") {
  REQUIRE(measures().size() == 18);
  std::set<std::string_view> names;
  for (const Measure* measure : measures()) {
    INFO(measure->name);
    REQUIRE(names.insert(measure->name).second);
    REQUIRE_FALSE(measure->definition.empty());
    // Values have the declared unit.
    const Value value = measure->compute(activity_of(ops_in({"K AB", "H AB", "D AB"})));
    if (std::holds_alternative<Undefined>(value)) continue;
    REQUIRE(std::holds_alternative<Ratio>(value) == (measure->unit == MeasureUnit::ratio));
  }
}

}  // namespace
}  // namespace lapscope::analyzer
