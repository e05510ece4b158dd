#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::held;
using test::Lines;
using test::Program;

using test::wait_of;

TEST_CASE("the thread was outside CUDA") {
  const Program program(R"(
    thread 1  a......b.
    stream 1  .AA.....B
  )");
  REQUIRE(held(program, "B") == Lines{"B host-compute host 5"});
}

// What would mend it is what mends work of the host's own.
TEST_CASE("the thread was in another call") {
  const Program program(R"(
    thread 1  a..ccccb.
    stream 1  .AA.....B
    c = cudaStreamCreate
  )");
  REQUIRE(wait_of(program, test::graph_of(program.trace), "c") == "host-call");
  REQUIRE(held(program, "B") == Lines{"B host-compute host 5"});
}

}  // namespace
}  // namespace lapscope::analyzer
