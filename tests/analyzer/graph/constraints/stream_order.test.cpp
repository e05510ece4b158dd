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

TEST_CASE("with programmatic dependent launch a kernel's work begins when the one before ends") {
  const Program program(R"(
    thread 1  ab......
    stream 1  .AAAAA..
    stream 1  ....BBBB
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(held(program, "B") == Lines{"B stream-order A 4"});
  REQUIRE(graph.lengths[test::task_of(program, graph, "B")].work == 2 * program.unit);
}

TEST_CASE("a kernel that ends before the one before it did not wait for its end") {
  const Program program(R"(
    thread 1  ab......
    stream 1  .AAAAAA.
    stream 1  ...BB...
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "B") == Lines{"A.start stream-order"});
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

// The call of thread 1 began first, and the call of thread 3 last. The calls overlap, so the order
// of the ops B, C and A decides.
TEST_CASE("if two calls overlap, the op that ran first is ahead") {
  const Program program(R"(
    thread 1  aaaaaaaa.......
    thread 2  .bb............
    thread 3  ..cccccc.......
    stream 1  ...BB.CC.AA....
    A = by a
    B = by b
    C = by c
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "A") == Lines{"C stream-order"});
  REQUIRE(edges_to(program, graph_of(program.trace), "C") == Lines{"B stream-order"});
}

TEST_CASE("if a call returned before another call began, the first call's op is ahead") {
  const Program program(R"(
    thread 1  .a........
    thread 2  b.........
    stream 1  .BBBB.....
    stream 1  .....AAAA.
  )");
  REQUIRE(held(program, "A B") == Lines{"A stream-order B 3", "B launch-overhead host 1"});
}

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

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

// D does not depend on C, although C ran before D in the same stream.
TEST_CASE("if the edges of a graph are recorded, a node waits only for the nodes of its edges") {
  const Program program(R"(
    thread 1  g................
    stream 1  .AAABBBBB..EEEE..
    stream 9  ....CCC.DDD......
    stream 10 ....FFFFFFFFFFFF.
    ABCDEF = by g
    B = by g, after A
    C = by g, after A
    D = by g, after B
    E = by g, after BD
    F = by g, after A
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "A").empty());
  REQUIRE(edges_to(program, graph, "B") == Lines{"A graph-edge"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"A graph-edge"});
  REQUIRE(edges_to(program, graph, "D").empty());  // recorded times contradict this edge
  REQUIRE(edges_to(program, graph, "E") == Lines{"B graph-edge", "D graph-edge"});
}

TEST_CASE("what follows a graph waits for all nodes that no other one waits for") {
  const Program program(R"(
    thread 1  gh............
    stream 1  .AAABBB..DDDEE
    stream 9  ....CCCCC.....
    ABC = by g
    DE = by h
    B = by g, after A
    C = by g, after A
    E = by h, after D
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "D") == Lines{"B stream-order", "C stream-order"});
  REQUIRE(edges_to(program, graph, "E") == Lines{"D graph-edge"});
}

// A node may be no op, for example a host function. Here, such a node follows A, and B follows this
// node.
TEST_CASE("a node waits for other ops by way of nodes that are no ops") {
  Program program(R"(
    thread 1  g.........
    stream 1  .AAA...BBB
    stream 9  ....CC....
    ABC = by g
    C = by g, after A
  )");
  constexpr std::uint64_t function = 1;
  program.trace.topology.dependencies = {
      {function, 'A', 0, false}, {'B', function, 0, false}, {'C', 'A', 0, false}};
  REQUIRE(edges_to(program, graph_of(program.trace), "B") == Lines{"A graph-edge"});
}

TEST_CASE("edges that were taken away, or made later, do not count") {
  Program program(R"(
    thread 1  ..g.......
    stream 1  ...AAA.BBB
    ABC = by g
    B = by g, after A
  )");
  const std::int64_t launch = 2 * program.unit;
  const auto waits = [&](std::vector<NodeDependency> dependencies) {
    program.trace.topology.dependencies = std::move(dependencies);
    return edges_to(program, graph_of(program.trace), "B");
  };
  REQUIRE(waits({{'B', 'A', launch, false}}) == Lines{"A graph-edge"});
  REQUIRE(waits({{'B', 'A', launch + 1, false}}).empty());
  REQUIRE(waits({{'B', 'A', 1, false}, {'B', 'A', 2, true}}).empty());
  REQUIRE(waits({{'B', 'A', 1, false}, {'B', 'A', 2, true}, {'B', 'A', 3, false}}) ==
          Lines{"A graph-edge"});
}

// Stream 2 has the lower id, but the graph was launched to stream 5.
TEST_CASE("a graph is in its recorded stream, not in the lowest stream of its ops") {
  const Program program(R"(
    thread 1  agd..........
    stream 5  .AAAA.BBB..DD
    stream 2  ......CCCCC..
    BC = by g
    g = cudaGraphLaunch, stream 5
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "C") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"C stream-order"});
}

TEST_CASE("of a graph beside plain launches to its own stream, each waits for the one before") {
  const Program program(R"(
    thread 1  agbc............
    stream 1  .AAGGGG.BBB.....
    stream 9  ...HHHHH........
    stream 2  ....CCCCCCCC....
    GH = by g
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "G") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "H") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "B") == Lines{"H stream-order"});
  REQUIRE(edges_to(program, graph, "C").empty());
}

}  // namespace
}  // namespace lapscope::analyzer
