#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

// Adds the executable graphs that callbacks report: one for each launch g, h and so on.
Program with_executables(std::string_view drawing, const std::vector<std::int64_t>& executables) {
  Program program(drawing);
  for (std::size_t i = 0; i < executables.size(); ++i) {
    program.trace.call_streams.at(i).graph = executables[i];
  }
  return program;
}

constexpr const char* two_launches = R"(
    thread 1  gh...........
    stream 1  .AABBB.......
    stream 2  .......CCDDD.
    AB = by g
    CD = by h
    g = cudaGraphLaunch, stream 1
    h = cudaGraphLaunch, stream 2
)";

TEST_CASE("a launch of an executable graph waits for the one before it in another stream") {
  const Program program = with_executables(two_launches, {5, 5});
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "C") == Lines{"B graph-exec-reuse"});
  REQUIRE(held(program, "C") == Lines{"C graph-exec-reuse B 4"});
}

TEST_CASE("launches of two executable graphs do not wait for each other, nor of graphs untold") {
  const Program different = with_executables(two_launches, {5, 6});
  REQUIRE(edges_to(different, graph_of(different.trace), "C").empty());
  const Program untold(two_launches);
  REQUIRE(edges_to(untold, graph_of(untold.trace), "C").empty());
}

TEST_CASE("within a stream its order says that launches follow each other") {
  const Program program = with_executables(R"(
    thread 1  gh...........
    stream 1  .AABBB.CCDDD.
    AB = by g
    CD = by h
    gh = cudaGraphLaunch, stream 1
  )",
                                           {5, 5});
  REQUIRE(edges_to(program, graph_of(program.trace), "C") == Lines{"B stream-order"});
}

// B and C are the last nodes of the first launch. D waits for both.
TEST_CASE("if the edges of a graph are recorded, the next launch waits for all last nodes") {
  Program program(R"(
    thread 1  gh............
    stream 1  .AABBBB.......
    stream 9  ...CCC........
    stream 2  ........DDEEEE
    stream 8  ..........FF..
    ABC = by g
    DEF = by h
    BC = by g, after A
    EF = by h, after D
    g = cudaGraphLaunch, stream 1
    h = cudaGraphLaunch, stream 2
  )");
  // Gives D, E and F the node ids of A, B and C.
  for (auto& node : program.trace.devices[0].ops.nodes) {
    if (node.node >= 'D') node.node -= 3;
  }
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "D") == Lines{"C graph-exec-reuse", "B graph-exec-reuse"});
  REQUIRE(edges_to(program, graph, "E") == Lines{"D graph-edge"});
}

TEST_CASE("a launch that began before the other one had ended did not wait for it") {
  const Program program = with_executables(R"(
    thread 1  gh........
    stream 1  .AABBBBBB.
    stream 2  ..CCCDDD..
    AB = by g
    CD = by h
    g = cudaGraphLaunch, stream 1
    h = cudaGraphLaunch, stream 2
  )",
                                           {5, 5});
  REQUIRE(edges_to(program, graph_of(program.trace), "C").empty());
}

}  // namespace
}  // namespace lapscope::analyzer
