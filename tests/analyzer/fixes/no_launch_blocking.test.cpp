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

// With the fix, a launch takes half a character. The latency of its kernel is another half.
TEST_CASE("launches that return at once let their kernels overlap") {
  const Program program(R"(
    thread 1  aaaaaabbbbcc
    stream 1  .AAAAA......
    stream 2  .......BBB..
    stream 3  ...........C
  )");
  REQUIRE(replayed(program, fixed(program, "launch-blocking")) ==
          Lines{"A 1 to 6", "B 1.5 to 4.5", "C 2 to 3"});
}

}  // namespace
}  // namespace lapscope::analyzer
