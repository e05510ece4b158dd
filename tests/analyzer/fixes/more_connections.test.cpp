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

TEST_CASE("with a channel of its own a stream does not wait for another one") {
  const Program program(R"(
    thread 1            abc........
    stream 1 channel 1  .AAAABBBB..
    stream 2 channel 1  .....CCCCCC
  )");
  REQUIRE(replayed(program, fixed(program, "queue-alias")) ==
          Lines{"A 1 to 5", "B 5 to 9", "C 3 to 9"});
}

}  // namespace
}  // namespace lapscope::analyzer
