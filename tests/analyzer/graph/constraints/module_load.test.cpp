#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;
using test::wait_of;

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

TEST_CASE("a module is loaded behind running work only when something ended meanwhile") {
  const Program waits(R"(
    thread 1  ammmmmm
    stream 1  .AAAA..
    m = cuModuleLoadData
  )");
  REQUIRE(wait_of(waits, graph_of(waits.trace), "m") == "module-load A");
  const Program does_not(R"(
    thread 1  a....mm
    stream 1  .AAA...
    m = cuModuleLoadData
  )");
  REQUIRE(wait_of(does_not, graph_of(does_not.trace), "m") == "module-load");
}

TEST_CASE("code was loaded by a call of its own") {
  const Program program(R"(
    thread 1  almmmmb..
    stream 1  .AA......
    stream 2  .......BB
    l = cuModuleLoadData
    m = cuModuleLoadData
  )");
  REQUIRE(held(program, "B") == Lines{"B module-load host 7"});
}

}  // namespace
}  // namespace lapscope::analyzer
