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

TEST_CASE("kernels of one wave that kept others out run beside them and take as long") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAAAA...
    stream 2  ......BBB
    AB = fills 100
  )");
  REQUIRE(replayed(program, fixed(program, "sm-saturated")) == Lines{"A 1 to 6", "B 2 to 5"});
}

// Its first blocks run beside the other kernel, and the rest after them: twice as long in all.
TEST_CASE("a stream that waited for a kernel of many waves gets a higher priority") {
  const Program program(R"(
    thread 1  ab........
    stream 1  .AAAAAA...
    stream 2  .......BBB
    A = fills 300
    B = fills 10
  )");
  REQUIRE(replayed(program, fixed(program, "sm-saturated")) == Lines{"A 1 to 7", "B 2 to 8"});
}

}  // namespace
}  // namespace lapscope::analyzer
