#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

// A host function is taken to run until 5 us before the next op of its stream: half a character.
TEST_CASE("a host function runs between the ops around it in its stream") {
  const Program program(R"(
    thread 1  afb.........
    stream 1  .AAAA...BBBB
    f = cudaLaunchHostFunc
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "f") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "B") == Lines{"f host-func"});
  REQUIRE(held(program, "B f") == Lines{"B host-func f 4.5", "f stream-order A 3"});
}

TEST_CASE("one thread of the driver runs all host functions of a process") {
  const Program program(R"(
    thread 1  afbcgd.........
    stream 1  .AAAA...BBBB...
    stream 2  ....CC.....DDDD
    fg = cudaLaunchHostFunc
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "g") == Lines{"C stream-order", "f host-func"});
  REQUIRE(held(program, "D g") == Lines{"D host-func g 4.5", "g host-func f 1.5"});
}

TEST_CASE("host functions of two processes do not wait for each other") {
  const Program program(R"(
    thread 1            afb.........
    thread 1 process 2  ...cgd......
    stream 1            .AAAA...BBBB
    stream 2 process 2  ....CC.....D
    fg = cudaLaunchHostFunc
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "g") == Lines{"C stream-order"});
}

TEST_CASE("of a host function before the first op of its thread no stream is known") {
  const Program program(R"(
    thread 1  fa....
    stream 1  ....AA
    f = cudaLaunchHostFunc
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(graph.tasks.size() == 1);
  REQUIRE(edges_to(program, graph, "A").empty());
}

// By the order of its calls the thread was at stream 2 last.
TEST_CASE("a host function is in the stream that was told, not in the one that was used last") {
  const Program program(R"(
    thread 1  acfbd.......
    stream 1  .AAAA...BBBB
    stream 2  ..CC..DDD...
    f = cudaLaunchHostFunc, stream 1
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "f") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "B") == Lines{"f host-func"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"C stream-order"});
}

TEST_CASE("a host function that was captured into a graph was not enqueued") {
  const Program program(R"(
    thread 1  afb.........
    stream 1  .AAAABBBB...
    f = cudaLaunchHostFunc, stream 1, captured
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(graph.tasks.size() == 2);
  REQUIRE(edges_to(program, graph, "B") == Lines{"A stream-order"});
}

}  // namespace
}  // namespace lapscope::analyzer
