#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

TEST_CASE("a stream waits for what the event stood for, and not for what came after") {
  const Program program(R"(
    thread 1  arwbc.....
    stream 1  .AAAAAABBB
    stream 2  .......CCC
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C") == Lines{"A event-wait"});
  REQUIRE(held(program, "C") == Lines{"C event-wait A 2"});
}

TEST_CASE("only the next op of the stream waits: the others follow it") {
  const Program program(R"(
    thread 1  arwcd......
    stream 1  .AAAAAA....
    stream 2  .......CCDD
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "D") == Lines{"C stream-order"});
}

TEST_CASE("a wait for an event that is recorded later holds nobody up") {
  const Program program(R"(
    thread 1  awrc.....
    stream 1  .AAAAA...
    stream 2  ......CCC
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C").empty());
}

TEST_CASE("an event that is recorded again after the wait means what it meant") {
  const Program program(R"(
    thread 1  arwbsc....
    stream 1  .AAABBBBB.
    stream 2  .........C
    rs = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C") == Lines{"A event-wait"});
}

TEST_CASE("an event that was recorded again before the wait means the later record") {
  const Program program(R"(
    thread 1  arbswc....
    stream 1  .AAABBBBB.
    stream 2  .........C
    rs = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C") == Lines{"B event-wait"});
}

TEST_CASE("a stream may wait for an event of another context and device") {
  const Program program(R"(
    thread 1                      arwc.......
    stream 21 context 2 device 1  .AAAAAA....
    stream 1                      .......CCC.
    r = cudaEventRecord, stream 21, event 1
    w = cudaStreamWaitEvent, stream 1, event 1
  )");
  REQUIRE(held(program, "C") == Lines{"C event-wait A 3"});
}

TEST_CASE("events of one id in two processes are two events") {
  const Program program(R"(
    thread 1              ar.........
    thread 1 process 2    ..wc.......
    stream 1              .AAAAAA....
    stream 2 process 2    .......CCC.
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C").empty());
}

TEST_CASE("waits go on through a stream that runs nothing") {
  const Program program(R"(
    thread 1  arwsvc.....
    stream 1  .AAAAAA....
    stream 2  ...........
    stream 3  .......CCC.
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    s = cudaEventRecord, stream 2, event 2
    v = cudaStreamWaitEvent, stream 3, event 2
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C") == Lines{"A event-wait"});
}

TEST_CASE("an event of a stream in which nothing ran yet holds nobody up") {
  const Program program(R"(
    thread 1  rwac.......
    stream 1  ...AAAA....
    stream 2  .......CCC.
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C").empty());
}

TEST_CASE("a stream that waits for its own event has its order, and no other reason") {
  const Program program(R"(
    thread 1  arwb...
    stream 1  .AAAABB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 1, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "B") == Lines{"A stream-order"});
}

TEST_CASE("of two threads that race, the order of the calls decides whether a wait counts") {
  const Program after(R"(
    thread 1  ar.......
    thread 2  ..wc.....
    stream 1  .AAAAA...
    stream 2  ......CCC
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(held(after, "C") == Lines{"C event-wait A 2"});
  const Program before(R"(
    thread 1  a.r......
    thread 2  .w.c.....
    stream 1  .AAAAA...
    stream 2  ......CCC
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(edges_to(before, graph_of(before.trace), "C").empty());
}

TEST_CASE("an event behind a graph stands for the branch that ends last") {
  const Program program(R"(
    thread 1  grwd.......
    stream 1  .AA........
    stream 9  ..BBBBB....
    stream 2  ........DDD
    AB = by g
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(held(program, "D") == Lines{"D event-wait B 3"});
}

TEST_CASE("all branches of a graph wait for what its stream was told to wait for") {
  const Program program(R"(
    thread 1  arwg.........
    stream 1  .AAAAA.......
    stream 2  .......BB.DD.
    stream 9  ......CCCC...
    BCD = by g
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B") == Lines{"A event-wait"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"A event-wait"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"C graph-edge"});
}

// A has ended before C is issued, so C waits only for its own call.
TEST_CASE("an event that happened before its wait was issued delays no op") {
  const Program program(R"(
    thread 1  ar.......wc...
    stream 1  .AAA..........
    stream 2  ...........CCC
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C") == Lines{"A event-wait"});
  REQUIRE(held(program, "C") == Lines{"C host-compute host 7"});
}

TEST_CASE("a stream of one context may wait for an event of another one on the same device") {
  const Program program(R"(
    thread 1             arwbc......
    stream 21 context 2  .AAAAAABBB.
    stream 1             .......CCC.
    r = cudaEventRecord, stream 21, event 1
    w = cudaStreamWaitEvent, stream 1, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C") == Lines{"A event-wait"});
}

TEST_CASE("of two threads that record one event, the later record before the wait counts") {
  const Program program(R"(
    thread 1  a.r.w.c....
    thread 2  .b.s.......
    stream 1  .AAAAAA....
    stream 2  ..BBBB.....
    stream 3  .......CCC.
    r = cudaEventRecord, stream 1, event 1
    s = cudaEventRecord, stream 2, event 1
    w = cudaStreamWaitEvent, stream 3, event 1
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C") == Lines{"B event-wait"});
}

}  // namespace
}  // namespace lapscope::analyzer
