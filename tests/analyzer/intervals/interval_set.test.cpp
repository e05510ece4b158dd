#include "analyzer/intervals/interval_set.h"

#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::drawn;
using test::intervals_in;
using test::set_in;

TEST_CASE("overlapping intervals become one") {
  REQUIRE(drawn(IntervalSet::union_of({{0, 4}, {2, 6}})) == "######");
}

TEST_CASE("touching intervals become one") {
  const IntervalSet set = set_in("AAABBB");
  REQUIRE(drawn(set) == "######");
  REQUIRE(set.intervals().size() == 1);
}

TEST_CASE("an interval inside another adds nothing") {
  REQUIRE(IntervalSet::union_of({{0, 8}, {2, 4}}).length() == 8);
}

TEST_CASE("a short interval inside a long one does not hide the long one's end") {
  REQUIRE(drawn(IntervalSet::union_of({{0, 8}, {1, 3}, {6, 10}})) == "##########");
}

TEST_CASE("identical intervals count once") {
  REQUIRE(IntervalSet::union_of({{3, 5}, {3, 5}, {3, 5}}).length() == 2);
}

TEST_CASE("identical starts keep the longer end") {
  REQUIRE(drawn(IntervalSet::union_of({{0, 2}, {0, 4}})) == "####");
  REQUIRE(drawn(IntervalSet::union_of({{0, 4}, {0, 2}})) == "####");
}

TEST_CASE("intervals of no length add nothing") {
  const IntervalSet set = set_in("..|...");
  REQUIRE(set.empty());
  REQUIRE(set.length() == 0);
}

TEST_CASE("an interval of no length does not join its neighbours") {
  REQUIRE(drawn(IntervalSet::union_of({{0, 2}, {3, 3}, {4, 6}})) == "##..##");
}

TEST_CASE("the order of the input does not matter") {
  REQUIRE(drawn(IntervalSet::union_of({{6, 8}, {0, 2}, {1, 4}})) == "####..##");
}

TEST_CASE("nothing united is nothing") {
  REQUIRE(IntervalSet::union_of({}).empty());
  REQUIRE(drawn(unite(IntervalSet(), set_in("..##"))) == "..##");
}

TEST_CASE("a union of sets covers both") {
  //      a  ##....##..
  //      b  .##.....##
  // a or b  ###...####
  REQUIRE(drawn(unite(set_in("##....##.."), set_in(".##.....##"))) == "###...####");
}

TEST_CASE("an intersection is what both cover") {
  //       a  ######..####
  //       b  ..##.####.#.
  // a and b  ..##.#..#.#
  REQUIRE(drawn(intersect(set_in("######..####"), set_in("..##.####.#."))) == "..##.#..#.#");
}

TEST_CASE("a difference is what the first covers and the second does not") {
  //         a  ####.#######.
  //         b  .##.....#...#
  // a, not b   #..#.###.###
  REQUIRE(drawn(subtract(set_in("####.#######."), set_in(".##.....#...#"))) == "#..#.###.###");
  REQUIRE(drawn(subtract(set_in("##.##.##"), set_in("#######."))) == ".......#");
  REQUIRE(drawn(subtract(set_in("#########"), set_in(".#.#..##."))) == "#.#.##..#");
  REQUIRE(drawn(subtract(set_in("###"), set_in("..."))) == "###");
}

TEST_CASE("sets that only touch do not intersect") {
  REQUIRE(intersect(set_in("###..."), set_in("...###")).empty());
}

TEST_CASE("of a set so much lies within an interval as both cover") {
  const IntervalSet set = set_in("AA..AAA.A");
  REQUIRE(set.length_in({1, 8}) == 4);
  REQUIRE(set.length_in({5, 6}) == 1);
  REQUIRE(set.length_in({2, 4}) == 0);
  REQUIRE(set.length_in({5, 5}) == 0);
}

TEST_CASE("one long interval meets many short ones") {
  REQUIRE(drawn(intersect(set_in("##########"), set_in("#.#.#.#.#."))) == "#.#.#.#.#");
}

TEST_CASE("times near the end of their range stay exact") {
  constexpr std::int64_t late = (std::int64_t{1} << 53) - 10;
  REQUIRE(IntervalSet::union_of({{late, late + 4}, {late + 4, late + 9}}).length() == 9);
}

TEST_CASE("pictures are read as described") {
  const std::vector<Interval> read = intervals_in("AAA..BBCC.");
  REQUIRE(read == std::vector<Interval>{{0, 3}, {5, 7}, {7, 9}});
  REQUIRE(intervals_in("..|A") == std::vector<Interval>{{2, 2}, {2, 3}});
}

}  // namespace
}  // namespace lapscope::analyzer
