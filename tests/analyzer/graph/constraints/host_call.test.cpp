#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::held;
using test::Lines;
using test::Program;

TEST_CASE("the thread was outside CUDA") {
  const Program program(R"(
    thread 1  a......b.
    stream 1  .AA.....B
  )");
  REQUIRE(held(program, "B") == Lines{"B host-compute host 5"});
}

}  // namespace
}  // namespace lapscope::analyzer
