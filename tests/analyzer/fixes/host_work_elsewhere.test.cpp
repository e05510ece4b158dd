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

// With the fix, 2 us remain between the calls. The trace shows no latency between two kernels.
TEST_CASE("without its own work the thread makes its calls one after the other") {
  const Program program(R"(
    thread 1  a.......b..
    stream 1  .AA......BB
  )");
  REQUIRE(replayed(program, fixed(program, "host-compute:1")) == Lines{"A 1 to 3", "B 3 to 5"});
}

TEST_CASE("calls that do nothing for the device take no longer than what is between them") {
  const Program program(R"(
    thread 1  aqqqqqqb..
    stream 1  .AA.....BB
    q = cudaGetDeviceProperties
  )");
  REQUIRE(replayed(program, fixed(program, "host-compute:1")) == Lines{"A 1 to 3", "B 3 to 5"});
}

TEST_CASE("what the thread does once stays, and what it does in a loop goes") {
  const Program once(R"(
    thread 1  a.......b..
    stream 1  .AA......BB
  )");
  REQUIRE(replayed(once, fixed(once, "host-compute")) == replayed(once, graph_of(once.trace)));
  const Program loop(R"(
    thread 1  a...b...c...d..
    stream 1  .AA..BB..CC..DD
  )");
  REQUIRE(replayed(loop, fixed(loop, "host-compute")) ==
          Lines{"A 1 to 3", "B 3 to 5", "C 5 to 7", "D 7 to 9"});
}

}  // namespace
}  // namespace lapscope::analyzer
