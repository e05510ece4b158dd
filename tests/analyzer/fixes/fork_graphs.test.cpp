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

}  // namespace
}  // namespace lapscope::analyzer
