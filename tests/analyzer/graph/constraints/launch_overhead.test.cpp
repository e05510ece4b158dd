#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::held;
using test::Lines;
using test::Program;

TEST_CASE("launching took longer than what was launched") {
  const Program program(R"(
    thread 1  aaabbb.
    stream 1  ...A..B
  )");
  REQUIRE(held(program, "B") == Lines{"B launch-overhead host 2"});
}

}  // namespace
}  // namespace lapscope::analyzer
