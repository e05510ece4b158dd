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

// With the fix, B uses the engine of the other direction and starts at its call. A runs alone
// for one character. Its remaining three characters take 3 / 0.92 beside B.
TEST_CASE("copies that wait for the engine use the engine of the other direction") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAAA....
    stream 2  .....BBBB
    AB = h2d
  )");
  REQUIRE(copy_other_way.is_plausible(program.trace, graph_of(program.trace)));
  REQUIRE(replayed(program, fixed(program, "copy-engine")) ==
          Lines{"A 1 to 5.261", "B 2 to 6.261"});
}

TEST_CASE("a stream that computes, too, keeps its copies") {
  const Program program(R"(
    thread 1  abc......
    stream 1  .AAAACC..
    stream 2  .....BBBB
    AB = h2d
  )");
  REQUIRE_FALSE(copy_other_way.is_plausible(program.trace, graph_of(program.trace)));
}

TEST_CASE("if the other direction is as busy, no copy moves to its engine") {
  const Program program(R"(
    thread 1  abcd.........
    stream 1  .AAAA........
    stream 2  .....BBBB....
    stream 3  ...CCCC......
    stream 4  .......DDDD..
    AB = h2d
    CD = d2h
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, fixed(program, "copy-engine")) == replayed(program, graph));
}

// Only D waits for the engine. E and F wait for D in stream 2. So the fix moves all three to the
// other engine.
TEST_CASE("copies behind a copy that waits for the engine move with it") {
  const Program program(R"(
    thread 1  abcdef..............
    stream 1  .AAAABBBBCCCC.......
    stream 2  .............DDEEFF.
    ABCDEF = h2d
  )");
  const Graph graph = fixed(program, "copy-engine");
  std::string turned;
  for (const char* op : {"A", "B", "C", "D", "E", "F"}) {
    const Task& task = graph.tasks[test::task_of(program, graph, op)];
    if (task.engine == Engine::d2h) turned += op;
  }
  REQUIRE(turned == "DEF");
}

}  // namespace
}  // namespace lapscope::analyzer
