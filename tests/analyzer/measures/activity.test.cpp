#include "analyzer/measures/activity.h"

#include <map>

#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using Table = std::map<std::string, std::int64_t>;

// Returns the time of each state, which is named by the letters of its active engines. "" is idle.
Table table_of(std::initializer_list<std::string_view> lanes) {
  Table table;
  for (const StateTime& state : state_table(test::activity_of(test::ops_in(lanes)))) {
    std::string letters;
    for (const Engine engine : all_engines) {
      if (state.has(engine)) letters += "KHDON"[static_cast<std::size_t>(engine)];
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

// A takes 4 alone and 8 beside B. Only A is in the scope.
//
//   A  AAAAAAAA
//   B  BBBBBBBB
TEST_CASE("kernels outside the scope also slow down kernels in the scope") {
  Device device;
  for (const std::uint32_t name : {0U, 1U}) {
    test::add_op(device.ops, {0, 8}, Engine::compute, name);
    device.ops.name.back() = name;
  }
  Demands demands;
  demands.classes.resize(2);
  demands.class_of = {0, 1};
  for (KernelClass& one : demands.classes) one.demand = {1, 1};
  const Scope all = whole(device.ops);
  const Scope own = of_ops(device.ops, {0}).value();
  const Subject subject(device, {}, demands);
  REQUIRE(activity_of(subject, all).kernel_alone_most == 8);
  REQUIRE(activity_of(subject, own).kernel_alone_most == 4);
  demands.classes[1].demand = {0, 1};
  const Subject unknown(device, {}, demands);
  REQUIRE(activity_of(unknown, own).kernel_alone_least == 4);
  REQUIRE(activity_of(unknown, own).kernel_alone_most == 8);
}

}  // namespace
}  // namespace lapscope::analyzer
