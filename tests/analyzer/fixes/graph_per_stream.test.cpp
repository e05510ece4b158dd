#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;

// In the recording, all launches are of one executable graph. With the fix, the nodes of a launch
// start when the call of this launch has ended.
TEST_CASE("launches run side by side if each stream has its own executable graph") {
  Program program(R"(
    thread 1  ghi..........
    stream 1  .AABB........
    stream 2  .....CCDD....
    stream 3  .........EEFF
    AB = by g
    CD = by h
    EF = by i
    g = cudaGraphLaunch, stream 1
    h = cudaGraphLaunch, stream 2
    i = cudaGraphLaunch, stream 3
  )");
  for (auto& launch : program.trace.call_streams) launch.graph = 5;
  REQUIRE(replayed(program, graph_of(program.trace)) ==
          Lines{"A 1 to 3", "B 3 to 5", "C 5 to 7", "D 7 to 9", "E 9 to 11", "F 11 to 13"});
  REQUIRE(replayed(program, fixed(program, "graph-exec-reuse")) ==
          Lines{"A 1 to 3", "B 3 to 5", "C 2 to 4", "D 4 to 6", "E 3 to 5", "F 5 to 7"});
}

}  // namespace
}  // namespace lapscope::analyzer
