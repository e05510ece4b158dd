#include "analyzer/scope/scope.h"

#include "analyzer/measures/measure.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::ops_in;

Activity judged(const Ops& ops, Interval window) { return test::activity_within(ops, window); }

std::vector<std::uint32_t> listed(const OpSet& ops) {
  std::vector<std::uint32_t> list;
  for (std::size_t i = 0; i < ops.size(); ++i) list.push_back(ops[i]);
  return list;
}

TEST_CASE("an op across the window's border counts with the part inside") {
  //            0123456789
  //   window      |----|      [3, 8)
  //   ops      AAAAA.BBBB
  const Activity activity = judged(ops_in({"K AAAAA.BBBB"}), {3, 8});
  REQUIRE(activity.sum == 4);
  REQUIRE(wall.compute(activity) == Value(Nanoseconds{5}));
  REQUIRE(busy.compute(activity) == Value(Nanoseconds{4}));
  REQUIRE(idle.compute(activity) == Value(Nanoseconds{1}));
}

TEST_CASE("a window may begin and end with idle time") {
  //   window   |--------|     [0, 9)
  //   ops      ...AAA....
  const Activity activity = judged(ops_in({"K ...AAA"}), {0, 9});
  REQUIRE(idle.compute(activity) == Value(Nanoseconds{6}));
}

TEST_CASE("ops that only touch a window are not in it") {
  //   window      |--|        [3, 6)
  //   ops      AAA...BBB
  REQUIRE_FALSE(within(ops_in({"K AAA...BBB"}), {3, 6}).has_value());
}

TEST_CASE("an op longer than the window fills it") {
  const Activity activity = judged(ops_in({"K AAAAAAAAAA"}), {3, 6});
  REQUIRE(activity.sum == 3);
  REQUIRE(idle.compute(activity) == Value(Nanoseconds{0}));
}

TEST_CASE("the windows that a trace is cut into have its busy time among them") {
  const Ops ops = ops_in({"K AAA..BBBB.C", "H .DDDD....EE"});
  std::int64_t total = 0;
  for (std::int64_t start = 0; start < 13; start += 3) {
    const Interval window{start, std::min<std::int64_t>(start + 3, 13)};
    if (within(ops, window)) total += judged(ops, window).busy();
  }
  REQUIRE(total == test::activity_of(ops).busy());
}

// Two threads: calls [0,2) [4,6) of the first issue A and B, [0,2) of the second issues C.
struct Issued {
  Ops ops = ops_in({"K ..A...BB..", "K ....CCCC"});  // by start: A, C, B
  Calls calls;
  Issued() {
    calls.start = {0, 4, 0};
    calls.end = {2, 6, 2};
    calls.threads = {{70, 0, 2, 2}, {71, 2, 3, 3}};
    ops.issue = {0, 2, 1};
  }
};

TEST_CASE("a range has the ops whose calls it encloses, whenever they ran") {
  const Issued issued;
  const auto scope = issued_in(issued.ops, issued.calls, {{{3, 7}, 0, 70}});
  REQUIRE(scope.has_value());
  REQUIRE(listed(scope->ops) == std::vector<std::uint32_t>{2});
  REQUIRE(scope->window == Interval{6, 8});
}

TEST_CASE("a range of one thread has nothing of another's") {
  const Issued issued;
  const auto scope = issued_in(issued.ops, issued.calls, {{{0, 10}, 0, 71}});
  REQUIRE(listed(scope->ops) == std::vector<std::uint32_t>{1});
}

TEST_CASE("a call that reaches over the range's end is not in it") {
  const Issued issued;
  REQUIRE_FALSE(issued_in(issued.ops, issued.calls, {{{3, 5}, 0, 70}}).has_value());
}

TEST_CASE("repeated ranges of one name are judged together") {
  const Issued issued;
  const auto scope =
      issued_in(issued.ops, issued.calls, {{{0, 2}, 0, 70}, {{4, 6}, 0, 70}, {{4, 6}, 0, 71}});
  REQUIRE(listed(scope->ops) == std::vector<std::uint32_t>{0, 2});
  REQUIRE(scope->window == Interval{2, 8});
}

}  // namespace
}  // namespace lapscope::analyzer
