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

TEST_CASE("a host function that does nothing still has its way there and back") {
  const Program program(R"(
    thread 1  afb.........
    stream 1  .AAAA...BBBB
    f = cudaLaunchHostFunc
  )");
  // From A's end, at once, and half a character to B.
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          Lines{"A 1 to 5", "B 5.5 to 9.5", "f 5 to 5"});
}

}  // namespace
}  // namespace lapscope::analyzer
