#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

TEST_CASE("a kernel that is loaded waits for all work before it, and what follows for it") {
  const Program program(R"(
    thread 1   abbbcd......
    loading 1  ..m.........
    stream 1   .AAAAAAA....
    stream 2   ........BBBB
    stream 3   ........CCDD
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B") == Lines{"A module-load"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"B.start module-load"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"C stream-order"});
  REQUIRE(held(program, "B C") == Lines{"B module-load A 4", "C module-load B 3"});
}

TEST_CASE("loading is told by its thread: what another one launches meanwhile is not loaded") {
  const Program program(R"(
    thread 1   a...........
    thread 2   .bbb........
    loading 1  ..m.........
    stream 1   .AAAAAAA....
    stream 2   ........BBBB
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "B").empty());
}

TEST_CASE("loading concerns the context that it is for") {
  const Program program(R"(
    thread 1             abbbc.......
    loading 1            ..m.........
    stream 1             .AAAAAAA....
    stream 12 context 2  ........BBBB
    stream 3             ........CC..
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B").empty());
  REQUIRE(edges_to(program, graph, "C").empty());
}

}  // namespace
}  // namespace lapscope::analyzer
