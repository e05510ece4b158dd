#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;
using test::recorded;

// A host function is assumed to end 5 us, half a character, before the next op of its stream.
TEST_CASE("a host function runs between the ops around it in its stream") {
  const Program program(R"(
    thread 1  afb.........
    stream 1  .AAAA...BBBB
    f = cudaLaunchHostFunc
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "f") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "B") == Lines{"f host-func"});
  REQUIRE(held(program, "B f") == Lines{"B host-func f 2.5", "f stream-order A 3"});
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

// The thread's last call before f is for stream 2, but f is recorded for stream 1.
TEST_CASE("a host function is in its recorded stream, not in the stream that was used last") {
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

TEST_CASE("a host function in a graph lasts from the nodes before it to those behind it") {
  const Program program(R"(
    thread 1  g..............
    stream 1  .AAA......BBB..
    stream 9  ....CCC........
    f = host, after A
    A = by g
    B = by g, after f
    C = by g, after A
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(recorded(program, graph) == Lines{"A 1 to 4", "B 10 to 13", "C 4 to 7", "f 4 to 9.5"});
  REQUIRE(edges_to(program, graph, "f") == Lines{"A graph-edge"});
  REQUIRE(edges_to(program, graph, "B") == Lines{"f host-func"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"A graph-edge"});
  REQUIRE(held(program, "B") == Lines{"B host-func f 5.5"});
}

TEST_CASE("of host functions in a row within a graph the last has the time") {
  const Program program(R"(
    thread 1  g..............
    stream 1  .AAA......BBB..
    stream 9  ..DDDD.........
    f = host, after A
    h = host, after fD
    AD = by g
    B = by g, after h
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(recorded(program, graph) ==
          Lines{"A 1 to 4", "B 10 to 13", "D 2 to 6", "f 4 to 4", "h 6 to 9.5"});
  REQUIRE(edges_to(program, graph, "h") == Lines{"f host-func", "D graph-edge", "f graph-edge"});
}

TEST_CASE(
    "a graph that begins with a host function waits for its stream, and so does the function") {
  const Program program(R"(
    thread 1  ag..............
    stream 1  .AAAAA....BBB...
    f = host
    g = cudaGraphLaunch, stream 1
    B = by g, after f
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(recorded(program, graph) == Lines{"A 1 to 6", "B 10 to 13", "f 6 to 9.5"});
  REQUIRE(edges_to(program, graph, "f") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "B") == Lines{"f host-func"});
}

TEST_CASE("the driver's thread runs functions of graphs and of streams one after the other") {
  const Program program(R"(
    thread 1  afbg................
    stream 1  .AA......BBB........
    stream 2  ....CC..........DDD.
    f = cudaLaunchHostFunc, stream 1
    h = host, after C
    C = by g
    D = by g, after h
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(recorded(program, graph) ==
          Lines{"A 1 to 3", "B 9 to 12", "C 4 to 6", "D 16 to 19", "f 3 to 8.5", "h 8.5 to 15.5"});
  REQUIRE(edges_to(program, graph, "h") == Lines{"f host-func", "C graph-edge"});
}

TEST_CASE("a host function that nothing follows in its graph lasts until its stream goes on") {
  const Program program(R"(
    thread 1  gc.............
    stream 1  .AAABBB........
    stream 9  ....DDDDD......
    stream 1  ...........CCC.
    f = host, after B
    g = cudaGraphLaunch, stream 1
    A = by g
    BD = by g, after A
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(recorded(program, graph) ==
          Lines{"A 1 to 4", "B 4 to 7", "C 11 to 14", "D 4 to 9", "f 7 to 10.5"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"D stream-order", "f host-func"});
}

TEST_CASE("a host function in front of a graph holds up all nodes that the graph begins with") {
  const Program program(R"(
    thread 1   afg.............
    stream 1   .AAA............
    stream 21  .........BBBB...
    stream 22  ..........CCCC..
    f = cudaLaunchHostFunc, stream 1
    g = cudaGraphLaunch, stream 1
    B = by g
    C = by g
    D = by g, after BC
    stream 1   ...............D
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(recorded(program, graph) ==
          Lines{"A 1 to 4", "B 9 to 13", "C 10 to 14", "D 15 to 16", "f 4 to 8.5"});
  REQUIRE(edges_to(program, graph, "B") == Lines{"f host-func"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"f host-func"});
}

// All host functions have the same time, and their node ids ascend or descend. std::sort may swap
// equal elements if it sorts more than 16 elements. So there are 17 host functions.
TEST_CASE("17 host functions in a row keep their order") {
  for (const std::string row : {"fhijklmnopqrstuvw", "wvutsrqponmlkjihf"}) {
    std::string drawing = R"(
    thread 1  g..............
    stream 1  .AAA......BBB..
    A = by g
)";
    char before = 'A';
    for (const char one : row) {
      drawing += std::string(1, one) + " = host, after " + before + '\n';
      before = one;
    }
    drawing += std::string("B = by g, after ") + before;
    const Program program(drawing);
    const Graph graph = graph_of(program.trace);
    const std::string first(1, row.front());
    const std::string last(1, row.back());
    REQUIRE(edges_to(program, graph, first) == Lines{"A graph-edge"});
    REQUIRE(edges_to(program, graph, "B") == Lines{last + " host-func"});
    REQUIRE(held(program, "B") == Lines{"B host-func " + last + " 5.5"});
  }
}

// f waits for h, and h waits for f.
TEST_CASE("host functions that wait for each other are left out, because the trace is damaged") {
  const Program program(R"(
    thread 1  g..............
    stream 1  .AAA......BBB..
    f = host, after Ah
    h = host, after f
    A = by g
    B = by g, after h
  )");
  REQUIRE(recorded(program, graph_of(program.trace)) == Lines{"A 1 to 4", "B 10 to 13"});
}

}  // namespace
}  // namespace lapscope::analyzer
