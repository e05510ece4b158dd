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

TEST_CASE("three engines shared perfectly overlap by two thirds") {
  // H AAAA
  // K BBBB
  // D CCCC        wall 4, sum 12
  const auto lanes = {std::string_view("H AAAA"), std::string_view("K BBBB"),
                      std::string_view("D CCCC")};
  REQUIRE(of(overlap_ratio, lanes) == Value(Ratio{8, 12}));
  REQUIRE(of(busy_overlap_ratio, lanes) == Value(Ratio{8, 12}));
  REQUIRE(of(copy_hidden, lanes) == Value(Ratio{4, 4}));
  REQUIRE(of(bidirectional, lanes) == Value(Ratio{4, 4}));
  REQUIRE(of(idle, lanes) == Value(Nanoseconds{0}));
}

TEST_CASE("ops one after the other without a gap do not overlap at all") {
  // H AAA......
  // K ...BBB...
  // D ......CCC   wall 9, sum 9
  const auto lanes = {std::string_view("H AAA"), std::string_view("K ...BBB"),
                      std::string_view("D ......CCC")};
  REQUIRE(of(overlap_ratio, lanes) == Value(Ratio{0, 9}));
  REQUIRE(of(copy_hidden, lanes) == Value(Ratio{0, 6}));
  REQUIRE(of(bidirectional, lanes) == Value(Ratio{0, 3}));
}

TEST_CASE("gaps make the overlap negative, but not that of the busy time") {
  // H AA....
  // K ....BB      wall 6, busy 4, sum 4
  const auto lanes = {std::string_view("H AA"), std::string_view("K ....BB")};
  REQUIRE(of(overlap_ratio, lanes) == Value(Ratio{-2, 4}));
  REQUIRE(of(busy_overlap_ratio, lanes) == Value(Ratio{0, 4}));
  REQUIRE(of(idle, lanes) == Value(Nanoseconds{2}));
  REQUIRE(of(idle_ratio, lanes) == Value(Ratio{2, 6}));
}

TEST_CASE("kernels that run together overlap too") {
  // K AAAA..
  // K ..BBBB      wall 6, sum 8
  const auto lanes = {std::string_view("K AAAA"), std::string_view("K ..BBBB")};
  REQUIRE(of(overlap_ratio, lanes) == Value(Ratio{2, 8}));
  REQUIRE(of(busy, lanes) == Value(Nanoseconds{6}));
}

TEST_CASE("a copy is hidden only while something computes") {
  // H AAAAAA..    4 of 6 hidden
  // K ..BBBBBB
  // D .......C    hidden
  const auto lanes = {std::string_view("H AAAAAA"), std::string_view("K ..BBBBBB"),
                      std::string_view("D .......C")};
  REQUIRE(of(h2d_hidden, lanes) == Value(Ratio{4, 6}));
  REQUIRE(of(d2h_hidden, lanes) == Value(Ratio{1, 1}));
  REQUIRE(of(copy_hidden, lanes) == Value(Ratio{5, 7}));
}

TEST_CASE("copies hidden by two kernels at once are not counted twice") {
  // H AAAA
  // K BBBB
  // K CCCC
  REQUIRE(of(copy_hidden, {"H AAAA", "K BBBB", "K CCCC"}) == Value(Ratio{4, 4}));
}

TEST_CASE("copies in both directions at once are one stretch of copying") {
  // H AAAA..
  // D ..BBBB      |copies| 6
  // K .....C
  REQUIRE(of(copy_hidden, {"H AAAA", "D ..BBBB", "K .....C"}) == Value(Ratio{1, 6}));
  REQUIRE(of(bidirectional, {"H AAAA", "D ..BBBB"}) == Value(Ratio{2, 4}));
}

TEST_CASE("copies between devices are copies, of neither direction") {
  // O AAAA
  // K ..BB
  const auto lanes = {std::string_view("O AAAA"), std::string_view("K ..BB")};
  REQUIRE(of(copy_hidden, lanes) == Value(Ratio{2, 4}));
  REQUIRE(is_undefined(of(h2d_hidden, lanes)));
}

TEST_CASE("one op alone overlaps nothing") {
  REQUIRE(of(overlap_ratio, {"K AAAA"}) == Value(Ratio{0, 4}));
  REQUIRE(of(wall, {"K ..AAAA"}) == Value(Nanoseconds{4}));
}

TEST_CASE("kernels at the same time are counted by how long two or more ran") {
  // K AAAA....
  // K ..BBBB..
  // K ...CCCCC    two or more in [2,6), kernels in [0,8)
  const auto lanes = {std::string_view("K AAAA"), std::string_view("K ..BBBB"),
                      std::string_view("K ...CCCCC")};
  REQUIRE(of(kernel_overlap, lanes) == Value(Ratio{4, 8}));
  REQUIRE(of(kernel_concurrency, lanes) == Value(Ratio{13, 8}));
}

TEST_CASE("a long kernel over two short ones overlaps while they run") {
  // K AAAAAAAA
  // K .BB.....
  // K .....CC.
  REQUIRE(of(kernel_overlap, {"K AAAAAAAA", "K .BB", "K .....CC"}) == Value(Ratio{4, 8}));
}

TEST_CASE("kernels that only touch do not overlap") {
  REQUIRE(of(kernel_overlap, {"K AABB"}) == Value(Ratio{0, 4}));
}

TEST_CASE("efficiency is the share of the possible saving that was made") {
  // H AAAA....    the busiest engine needs 4; 12 in a row; it took 8
  // K ..BBBB..
  // D ....CCCC
  const auto lanes = {std::string_view("H AAAA"), std::string_view("K ..BBBB"),
                      std::string_view("D ....CCCC")};
  REQUIRE(of(overlap_efficiency, lanes) == Value(Ratio{4, 8}));
}

TEST_CASE("an engine-bound window is fully efficient") {
  // H AAAABBBBCCCC
  // K .....DDDD..
  REQUIRE(of(overlap_efficiency, {"H AAAABBBBCCCC", "K .....DDDD.."}) == Value(Ratio{4, 4}));
}

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

TEST_CASE("an op of no length widens the window but adds nothing else") {
  // K AA...|      wall 5, sum 2
  REQUIRE(of(wall, {"K AA...|"}) == Value(Nanoseconds{5}));
  REQUIRE(of(sum, {"K AA...|"}) == Value(Nanoseconds{2}));
  REQUIRE(of(idle, {"K AA...|"}) == Value(Nanoseconds{3}));
}

TEST_CASE("durations that add up to more than 63 bits are refused") {
  Ops ops;
  for (int i = 0; i < 2000; ++i) {
    add_op(ops, {0, latest_time}, Engine::compute);
  }
  REQUIRE_THROWS_AS(activity_of(ops), std::overflow_error);
}

TEST_CASE("every measure is registered once, with a definition") {
  REQUIRE(measures().size() == 15);
  std::set<std::string_view> names;
  for (const Measure* measure : measures()) {
    INFO(measure->name);
    REQUIRE(names.insert(measure->name).second);
    REQUIRE_FALSE(measure->definition.empty());
    // The unit is the one that its values have.
    const Value value = measure->compute(activity_of(ops_in({"K AB", "H AB", "D AB"})));
    if (std::holds_alternative<Undefined>(value)) continue;
    REQUIRE(std::holds_alternative<Ratio>(value) == (measure->unit == MeasureUnit::ratio));
  }
}

}  // namespace
}  // namespace lapscope::analyzer
