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

// The trace has no example of the latency between kernels of a graph, so it is 0.
TEST_CASE("in a row of calls, all but the first become nodes without a cost") {
  const Program program(R"(
    thread 1  aaabbbccc.
    stream 1  ...A..B..C
  )");
  REQUIRE(launch_graphs.is_plausible(program.trace, graph_of(program.trace)));
  REQUIRE(replayed(program, fixed(program, "launch-overhead")) ==
          Lines{"A 3 to 4", "B 4 to 5", "C 5 to 6"});
}

TEST_CASE("a call that waits, or a pause, ends the row") {
  const Program program(R"(
    thread 1  aaassbbb....ccc.
    stream 1  ...A....B......C
    s = cudaDeviceSynchronize
  )");
  REQUIRE(replayed(program, fixed(program, "launch-overhead")) ==
          Lines{"A 3 to 4", "B 8 to 9", "C 15 to 16"});
}

TEST_CASE("where kernels take much longer than their launches a graph does not pay") {
  const Program program(R"(
    thread 1  ab.................
    stream 1  .AAAAAAAA..........
    stream 2  ..BBBBBBBB.........
  )");
  REQUIRE_FALSE(launch_graphs.is_plausible(program.trace, graph_of(program.trace)));
}

// Only the first launch is slow. The other launches take a sixth of the time of a kernel, so they
// delay no kernel.
TEST_CASE("one slow launch is no reason for a graph") {
  const Program program(R"(
    thread 1  aaaaaaabcd.....................
    stream 1  .......AAAAAABBBBBBCCCCCCDDDDDD
  )");
  REQUIRE_FALSE(launch_graphs.is_plausible(program.trace, graph_of(program.trace)));
}

TEST_CASE("of two launches the shorter one is the usual one") {
  const Program program(R"(
    thread 1  aaaaaaab.............
    stream 1  .......AAAAAABBBBBB..
  )");
  REQUIRE_FALSE(launch_graphs.is_plausible(program.trace, graph_of(program.trace)));
}

}  // namespace
}  // namespace lapscope::analyzer
