#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::held;
using test::Lines;
using test::Program;

TEST_CASE("a copy waits for the one of the same direction, and the other one for nobody") {
  const Program program(R"(
    thread 1  abc......
    stream 1  .AAAA....
    stream 2  .....BBBB
    stream 3  ...CCCC..
    AB = h2d
    C = d2h
  )");
  REQUIRE(held(program, "B C") == Lines{"B copy-engine A 3", "C launch-overhead host 3"});
}

// B occupied the engine while it still waited for A. Otherwise, C could have started at 3.
TEST_CASE("a copy engine is blocked by a copy that waits for its own stream") {
  const Program program(R"(
    thread 1  abc............
    stream 1  .AAAAAABBBB....
    stream 2  ...........CCCC
    BC = d2h
  )");
  REQUIRE(held(program, "B C") == Lines{"B stream-order A 5", "C copy-engine B 8"});
}

TEST_CASE("engines of two devices do not wait for each other") {
  const Program program(R"(
    thread 1                      ab.......
    stream 1                      .AAAA....
    stream 12 context 2 device 1  .....BBBB
    AB = h2d
  )");
  REQUIRE(held(program, "B") == Lines{"B launch-overhead host 2 + 1 unexplained"});
}

// Copies between devices can share an engine. A and B ran at the same time, so C did not wait for
// the engine.
TEST_CASE("an engine that ran several ops at once delays no op") {
  const Program program(R"(
    thread 1  abc.........
    stream 1  .AAAAAA.....
    stream 2  ..BBBBBB....
    stream 3  ........CCCC
    ABC = peer
  )");
  REQUIRE(held(program, "C") == Lines{"C launch-overhead host 3 + 3 unexplained"});
}

}  // namespace
}  // namespace lapscope::analyzer
