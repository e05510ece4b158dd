#include "analyzer/measures/states.h"

#include <map>

#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using Table = std::map<std::string, std::int64_t>;

// States by the letters of the active engines, "" being idle.
Table table_of(std::initializer_list<std::string_view> lanes) {
  Table table;
  for (const StateTime& state : state_table(test::activity_of(test::ops_in(lanes)))) {
    std::string letters;
    for (const Engine engine : all_engines) {
      if (state.has(engine)) letters += "KHDO"[static_cast<std::size_t>(engine)];
    }
    table[letters] = state.ns;
  }
  return table;
}

TEST_CASE("the window is split by the engines that are active") {
  //   0123456789
  // H AAAA......
  // K ..BBBB..E.
  // D ....CC..F.
  REQUIRE(table_of({"H AAAA", "K ..BBBB..E", "D ....CC..F"}) ==
          Table{{"", 2}, {"H", 2}, {"KH", 2}, {"KD", 3}});
}

TEST_CASE("an engine with several ops at once is active once") {
  // K AAAA
  // K .BB.
  REQUIRE(table_of({"K AAAA", "K .BB."}) == Table{{"K", 4}});
}

TEST_CASE("touching ops leave no idle time between them") {
  // K AABB
  // H ..CC
  REQUIRE(table_of({"K AABB", "H ..CC"}) == Table{{"K", 2}, {"KH", 2}});
}

TEST_CASE("engines that change at the same instant have no state in between") {
  // H AA..
  // K ..BB
  REQUIRE(table_of({"H AA..", "K ..BB"}) == Table{{"H", 2}, {"K", 2}});
}

TEST_CASE("all four engines at once are one state") {
  REQUIRE(table_of({"K AA", "H AA", "D AA", "O AA"}) == Table{{"KHDO", 2}});
}

TEST_CASE("ops of no length make no state") {
  // K AA.|.BB
  REQUIRE(table_of({"K AA.|.BB"}) == Table{{"", 2}, {"K", 4}});
}

}  // namespace
}  // namespace lapscope::analyzer
