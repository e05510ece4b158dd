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

// Thread 2's call began first, though its kernel is that of the higher letter.
TEST_CASE("of two threads that race for a stream, the one whose call began first is ahead") {
  const Program program(R"(
    thread 1  .a........
    thread 2  b.........
    stream 1  .BBBB.....
    stream 1  .....AAAA.
  )");
  REQUIRE(held(program, "A B") == Lines{"A stream-order B 3", "B launch-overhead host 1"});
}

}  // namespace
}  // namespace lapscope::analyzer
