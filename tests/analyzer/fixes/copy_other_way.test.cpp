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

// A goes the other way then. Both take 4 alone: A 1, then 3 / 0.92 beside B.
TEST_CASE("of streams that copy one way only, every second copy goes the other way") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAAA....
    stream 2  .....BBBB
    AB = h2d
  )");
  REQUIRE(copy_other_way.is_plausible(program.trace, graph_of(program.trace)));
  REQUIRE(replayed(program, fixed(program, "copy-engine")) ==
          Lines{"A 1 to 5.261", "B 2 to 6.261"});
}

TEST_CASE("a stream that computes, too, keeps its copies") {
  const Program program(R"(
    thread 1  abc......
    stream 1  .AAAACC..
    stream 2  .....BBBB
    AB = h2d
  )");
  REQUIRE_FALSE(copy_other_way.is_plausible(program.trace, graph_of(program.trace)));
}

}  // namespace
}  // namespace lapscope::analyzer
