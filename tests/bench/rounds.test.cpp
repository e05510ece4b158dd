#include "tests/bench/rounds.h"

#include <stdexcept>
#include <string>

#include "tests/catch.h"

namespace lapscope::bench {
namespace {

TEST_CASE("commands run in turns, whichever is asked for") {
  std::string order;
  Rounds rounds({{"a"}, {"b"}}, [&order](const Rounds::Command& command) {
    order += command.front();
    return Run{.wall_s = static_cast<double>(order.size())};
  });
  REQUIRE(rounds.next(0).wall_s == 1);
  REQUIRE(rounds.next(0).wall_s == 3);
  REQUIRE(order == "abab");
  REQUIRE(rounds.next(1).wall_s == 2);  // it ran in the same round as the other command
  REQUIRE(rounds.next(1).wall_s == 4);
  REQUIRE(order == "abab");
  REQUIRE(rounds.next(1).wall_s == 6);
  REQUIRE(rounds.runs(0).size() == 3);
  REQUIRE(rounds.runs(1).size() == 3);
}

TEST_CASE("a round in which a command fails counts for none") {
  bool fails = true;
  Rounds rounds({{"a"}, {"b"}}, [&fails](const Rounds::Command& command) {
    if (fails && command.front() == "b") throw std::runtime_error("b failed");
    return Run{};
  });
  REQUIRE_THROWS(rounds.next(0));
  REQUIRE(rounds.runs(0).empty());
  fails = false;
  rounds.next(0);
  REQUIRE(rounds.runs(0).size() == 1);
  REQUIRE(rounds.runs(1).size() == 1);
}

}  // namespace
}  // namespace lapscope::bench
