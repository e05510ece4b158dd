#include "analyzer/scope/scope.h"

#include "analyzer/measures/measure.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::ops_in;

Activity judged(const Ops& ops, Interval window) { return test::activity_within(ops, window); }

TEST_CASE("an op longer than the window fills it") {
  const Activity activity = judged(ops_in({"K AAAAAAAAAA"}), {3, 6});
  REQUIRE(activity.sum == 3);
  REQUIRE(idle.compute(activity) == Value(Nanoseconds{0}));
}

TEST_CASE("some ops make a scope from their first start to their last end") {
  const Ops ops = ops_in({"K AA..BB....", "K ..CCCC.DD."});
  const auto scope = of_ops(ops, {1, 2});
  REQUIRE(scope.has_value());
  REQUIRE(scope->ops.size() == 2);
  REQUIRE(scope->window == Interval{2, 6});
  REQUIRE_FALSE(of_ops(ops, {}).has_value());
  REQUIRE(busy_of(ops).length() == 8);
}

}  // namespace
}  // namespace lapscope::analyzer
