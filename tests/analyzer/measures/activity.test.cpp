#include "analyzer/measures/activity.h"

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

TEST_CASE("an engine with several ops at once is active once") {
  // K AAAA
  // K .BB.
  REQUIRE(table_of({"K AAAA", "K .BB."}) == Table{{"K", 4}});
}

TEST_CASE("engines that change at the same instant have no state in between") {
  // H AA..
  // K ..BB
  REQUIRE(table_of({"H AA..", "K ..BB"}) == Table{{"H", 2}, {"K", 2}});
}

TEST_CASE("all four engines at once are one state") {
  REQUIRE(table_of({"K AA", "H AA", "D AA", "O AA"}) == Table{{"KHDO", 2}});
}

}  // namespace
}  // namespace lapscope::analyzer
