#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

TEST_CASE("an op waits for the one before it in its stream") {
  const Program program(R"(
    thread 1  ab....
    stream 1  .AAAABB
  )");
  REQUIRE(held(program) == Lines{"A launch-overhead host 1", "B stream-order A 3"});
}

TEST_CASE("two threads that share a stream are in order of their calls, not of their ids") {
  const Program program(R"(
    thread 1  .b.....
    thread 2  a......
    stream 1  .AAAABB
  )");
  REQUIRE(held(program, "B") == Lines{"B stream-order A 3"});
}

TEST_CASE("ops of streams of one id in two processes have nothing to do with each other") {
  const Program program(R"(
    thread 1            a......
    thread 1 process 2  .b.....
    stream 1            .AAAA..
    stream 1 process 2  .....BB
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "B").empty());
}

TEST_CASE("with programmatic dependent launch a kernel waits for the start of the one before") {
  const Program program(R"(
    thread 1  ab......
    stream 1  .AAAAA..
    stream 1  ....BBBB
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B") == Lines{"A.start stream-order"});
  REQUIRE(graph.contradicted == 0);
}

TEST_CASE("an overlap of a microsecond in a stream is the clocks', not the program's") {
  const Program program(R"(
    thread 1  ab......
    stream 1  .AAAA...
    stream 1  ....BBBB
  )",
                        1'000);
  REQUIRE(edges_to(program, graph_of(program.trace), "B") == Lines{"A stream-order"});
}

TEST_CASE("a graph launch has its stream's order as a whole") {
  const Program program(R"(
    thread 1  agd..........
    stream 1  .AAAA.BBB..DD
    stream 9  ......CCCCC..
    BC = by g
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"C stream-order"});
}

TEST_CASE("within a graph launch a node waits for the last one that had ended") {
  const Program program(R"(
    thread 1  g..............
    stream 1  .AAABBBB...EEEE
    stream 9  ....CCDDDDD....
    ABCDE = by g
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B") == Lines{"A graph-edge"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"A graph-edge"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"C graph-edge"});
  REQUIRE(edges_to(program, graph, "E") == Lines{"D graph-edge"});
  REQUIRE(held(program, "E") == Lines{"E graph-edge D 10"});
}

TEST_CASE("a graph holds up its own stream, and plain launches beside it not at all") {
  const Program program(R"(
    thread 1  gcde.........
    stream 1  .AAABBBDD....
    stream 2  ..CCCCCCCCCEE
    AB = by g
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "C").empty());
  REQUIRE(edges_to(program, graph, "D") == Lines{"B stream-order"});
  REQUIRE(edges_to(program, graph, "E") == Lines{"C stream-order"});
}

TEST_CASE("two launches of a graph to one stream follow each other") {
  const Program program(R"(
    thread 1  gh..........
    stream 1  .AAA..CCC...
    stream 9  .BBBBBDDDDDD
    AB = by g
    CD = by h
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "C") == Lines{"B stream-order"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"B stream-order"});
}

}  // namespace
}  // namespace lapscope::analyzer
