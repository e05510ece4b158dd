#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

TEST_CASE("the legacy stream waits for blocking streams, and they for it") {
  const Program program(R"(
    thread 1    abcd........
    blocking 1  .AAAA.....CC
    legacy 7    .....BBBBB..
    blocking 2  ..........DD
  )");
  REQUIRE(held(program, "B C D") == Lines{"B default-stream-barrier A 3",
                                          "C default-stream-barrier B 5",
                                          "D default-stream-barrier B 6"});
}

TEST_CASE("between two non-blocking streams the legacy stream is no barrier") {
  const Program program(R"(
    thread 1  abc.........
    stream 1  .AAAA.......
    legacy 7  .....BBBB...
    stream 2  .........CCC
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B").empty());
  REQUIRE(edges_to(program, graph, "C").empty());
  REQUIRE(held(program, "B C") == Lines{"B launch-overhead host 2 + 1 unexplained",
                                        "C launch-overhead host 3 + 4 unexplained"});
}

TEST_CASE("a legacy stream is a barrier for the streams of its own context only") {
  const Program program(R"(
    thread 1             abc.........
    blocking 1           .AAAA.......
    legacy 17 context 2  .....BBBB...
    blocking 2           .........CCC
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B").empty());
  REQUIRE(edges_to(program, graph, "C").empty());
}

TEST_CASE("of processes with the same ids each has a legacy stream of its own") {
  const Program program(R"(
    thread 1              a........
    thread 1 process 2    .b.......
    blocking 1            .AAAA....
    legacy 7 process 2    .....BBBB
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "B").empty());
}

TEST_CASE("per-thread default streams wait for the legacy stream, and not for each other") {
  const Program program(R"(
    thread 1     a..........
    thread 2     .b.........
    thread 3     ..c........
    blocking 21  .AAAA......
    blocking 22  ..BBBBB....
    legacy 7     .......CCCC
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B").empty());
  REQUIRE(edges_to(program, graph, "C") ==
          Lines{"A default-stream-barrier", "B default-stream-barrier"});
  REQUIRE(held(program, "C") == Lines{"C default-stream-barrier B 4"});
}

TEST_CASE("what was issued to a blocking stream after it does not hold the legacy stream") {
  const Program program(R"(
    thread 1    ba.....
    legacy 7    .BBB...
    blocking 1  ....AAA
  )");
  REQUIRE(held(program) == Lines{"A default-stream-barrier B 2", "B launch-overhead host 1"});
}

TEST_CASE("a barrier that the recorded times contradict is not stated") {
  const Program program(R"(
    thread 1    ba.....
    legacy 7    .BBBBB.
    blocking 1  ...AAA.
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "A").empty());
}

TEST_CASE("what the order of streams says already is not said again") {
  const Program program(R"(
    thread 1    abcde.........
    blocking 1  .AAA......DDEE
    legacy 7    ....BBBCCC....
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B") == Lines{"A default-stream-barrier"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"B stream-order"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"A stream-order", "C default-stream-barrier"});
  REQUIRE(edges_to(program, graph, "E") == Lines{"D stream-order"});
}

// CUDA's documentation of cudaStreamWaitEvent: a wait in the legacy stream acts like a kernel.
TEST_CASE("a wait in the legacy stream delays later ops of blocking streams") {
  const Program program(R"(
    thread 1    arbwcd.......
    stream 1    .AAAAAA......
    blocking 2  ...BBB.....D.
    blocking 3  ........CC...
    legacy 7    .............
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 7, event 1
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "C") ==
          Lines{"A default-stream-barrier", "B default-stream-barrier"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"B stream-order", "A default-stream-barrier"});
  REQUIRE(held(program, "C") == Lines{"C default-stream-barrier A 2"});
}

TEST_CASE("what a blocking stream was told to wait for, the legacy stream waits for") {
  const Program program(R"(
    thread 1    arwb......
    stream 1    .AAAAA....
    blocking 2  ..........
    legacy 7    .......BBB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(held(program, "B") == Lines{"B default-stream-barrier A 2"});
}

TEST_CASE("a record in the legacy stream holds up what blocking streams get afterwards") {
  const Program program(R"(
    thread 1    arbc......
    blocking 1  .AAAAA....
    blocking 2  ......BBB.
    stream 3    ....CCCC..
    legacy 7    ..........
    r = cudaEventRecord, stream 7, event 1
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B") == Lines{"A default-stream-barrier"});
  REQUIRE(edges_to(program, graph, "C").empty());
}

// C runs in another stream than the one of the launch, and is the last node to end. So D waits for
// C.
TEST_CASE(
    "the legacy stream waits for all branches of a graph that was launched to a blocking stream") {
  const Program program(R"(
    thread 1    gd.......
    blocking 1  .AAA.....
    stream 9    ..CCCC...
    legacy 7    .......DD
    AC = by g
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "D") == Lines{"C default-stream-barrier"});
}

}  // namespace
}  // namespace lapscope::analyzer
