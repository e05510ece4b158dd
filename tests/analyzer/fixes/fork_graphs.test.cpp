#include "analyzer/fixes/fix.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;
using test::replayed_wall;
using test::where_shown;

TEST_CASE("nodes of a graph all start as its first one does") {
  const Program program(R"(
    thread 1  ag.............
    stream 1  .AAABBBBCCCCC..
    BC = by g
  )");
  REQUIRE(fork_graphs.is_plausible(program.trace, graph_of(program.trace)));
  REQUIRE(replayed(program, fixed(program, "graph-edge")) ==
          Lines{"A 1 to 4", "B 4 to 8", "C 4 to 9"});
}

TEST_CASE("of nodes of a microsecond nothing is gained") {
  const Program program(R"(
    thread 1  ag.............
    stream 1  .AAABCDE.......
    BCDE = by g
  )",
                        1'000);
  REQUIRE_FALSE(fork_graphs.is_plausible(program.trace, graph_of(program.trace)));
}

// In the recording, B ends last. With the fix, A ends last, so C and D must wait for both.
TEST_CASE("ops behind a graph wait for all nodes of the graph that may end last") {
  const Program program(R"(
    thread 1  gcssssssssd...
    stream 1  .AAAABBCCC....
    stream 2  ...........DDD
    AB = by g
    s = cudaStreamSynchronize, stream 1
  )");
  const Graph graph = fixed(program, "graph-edge");
  REQUIRE(edges_to(program, graph, "C") == Lines{"B stream-order", "A stream-order"});
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 5", "B 1 to 3", "C 5 to 8", "D 9 to 12"});
  const Program waits(R"(
    thread 1  gssssssd...
    stream 1  .AAAABB....
    stream 2  ........DDD
    AB = by g
    s = cudaStreamSynchronize, stream 1
  )");
  REQUIRE(test::wait_of(waits, fixed(waits, "graph-edge"), "s") == "host-sync A B");
}

// A graph that was captured from one stream is a chain of kernels, in the order of the capture.
TEST_CASE("a graph is a chain of nodes, except for tiles in it") {
  const Program chain(R"(
    thread 1  g..............
    stream 1  .AAABBBBCCCCC..
    ABC = by g
  )");
  REQUIRE_FALSE(where_shown(chain, "graph-edge"));
  const Program program(R"(
    thread 1  g...................
    stream 1  .HHKKDDHHKKDDHHKKDD.
    H = h2d, bytes 1000, by g
    K = by g
    D = d2h, bytes 1000, by g
  )");
  const Graph graph = where_shown(program, "graph-edge").value();
  REQUIRE(edges_to(program, graph, "H2").empty());
  REQUIRE(edges_to(program, graph, "K2") == Lines{"H2 graph-edge"});
}

}  // namespace
}  // namespace lapscope::analyzer
