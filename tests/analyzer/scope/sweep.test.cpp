#include "analyzer/scope/sweep.h"

#include <string>

#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Records what the sweep reports: "+op" if an op starts, "-op" if it ends, and the length of each
// interval between them.
struct Diary {
  std::string text;

  void begin(std::uint32_t op, Interval) { add("+" + std::to_string(op)); }
  void end(std::uint32_t op) { add("-" + std::to_string(op)); }
  void stretch(Interval interval) { add(std::to_string(interval.length())); }
  void add(const std::string& event) { text += text.empty() ? event : " " + event; }
};

std::string swept(const Ops& ops, const Scope& scope) {
  Diary diary;
  sweep(ops, scope, diary);
  return diary.text;
}

std::string swept(std::initializer_list<std::string_view> lanes) {
  const Ops ops = test::ops_in(lanes);
  return swept(ops, whole(ops));
}

TEST_CASE("an observer is told of every change and the time between") {
  // K AAAA..
  // K ..BBBB
  REQUIRE(swept({"K AAAA", "K ..BBBB"}) == "+0 2 +1 2 -0 2 -1");
}

TEST_CASE("of changes at one instant, ends come first") {
  // K AABB
  REQUIRE(swept({"K AABB"}) == "+0 2 -0 +1 2 -1");
}

TEST_CASE("idle time is a stretch with nothing active") {
  // K A..B
  REQUIRE(swept({"K A..B"}) == "+0 1 -0 2 +1 1 -1");
}

TEST_CASE("ops that begin together are told of one after the other") {
  // K AA
  // H BBB
  REQUIRE(swept({"K AA", "H BBB"}) == "+0 +1 2 -0 1 -1");
}

TEST_CASE("an op of no length changes nothing, not even idle time") {
  // K A.|.B      the gap is one interval
  REQUIRE(swept({"K A.|.B"}) == "+0 1 -0 2 +2 1 -2");
}

TEST_CASE("a window clips ops and may begin and end idle") {
  //          0123456789
  // window    |-------|     [1, 9)
  // K        AAA..B....
  const Ops ops = test::ops_in({"K AAA..B"});
  REQUIRE(swept(ops, *within(ops, {1, 9})) == "+0 2 -0 2 +1 1 -1 3");
}

TEST_CASE("time in which only others ran is told as such where it is asked for") {
  struct Knowing : Diary {
    void other_work(Interval interval) { add("~" + std::to_string(interval.length())); }
  };
  // scope   AAA........CC
  // others  ..BBB....DDD.      [3,5) and [9,11) are other work, [5,9) is idle
  const Ops ops = test::ops_in({"K AAA........CC", "H ..BBB....DDD."});
  Scope scope = of_ops(ops, {0, 3}).value();
  scope.device_busy = std::make_shared<IntervalSet>(busy_of(ops));
  Knowing knowing;
  Diary diary;
  sweep(ops, scope, knowing, diary);
  REQUIRE(knowing.text == "+0 3 -0 ~2 4 ~2 +3 2 -3");
  REQUIRE(diary.text == "+0 3 -0 2 4 2 +3 2 -3");
}

}  // namespace
}  // namespace lapscope::analyzer
