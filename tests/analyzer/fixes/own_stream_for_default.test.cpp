#include "analyzer/fixes/fix.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;
using test::replayed_wall;

TEST_CASE(
    "work of the legacy stream in a stream of its own waits for nobody else, nor they for it") {
  const Program program(R"(
    thread 1    abcd...........
    blocking 1  .AAAA..........
    legacy 7    .....BBBB...DDD
    blocking 2  .........CCC...
  )");
  REQUIRE(replayed_wall(program, graph_of(program.trace)) == "14");
  const Graph graph = fixed(program, "default-stream-barrier");
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 5", "B 2 to 6", "C 3 to 6", "D 6 to 9"});
}

TEST_CASE("a kernel in the legacy stream keeps its place between the copies of its data") {
  const Program tile(R"(
    thread 1    abc..........
    blocking 1  .AAAA....CCCC
    legacy 7    .....BBBB....
    A = h2d
    C = d2h
  )");
  REQUIRE(replayed(tile, fixed(tile, "default-stream-barrier")) ==
          Lines{"A 1 to 5", "B 5 to 9", "C 9 to 13"});
  // Another thread issues the copies, so they may be unrelated to the kernel's data.
  const Program other_thread(R"(
    thread 1    a.c..........
    thread 2    .b...........
    blocking 1  .AAAA....CCCC
    legacy 7    .....BBBB....
    A = h2d
    C = d2h
  )");
  REQUIRE(replayed(other_thread, fixed(other_thread, "default-stream-barrier")) ==
          Lines{"A 1 to 5", "B 2 to 6", "C 5 to 9"});
}

}  // namespace
}  // namespace lapscope::analyzer
