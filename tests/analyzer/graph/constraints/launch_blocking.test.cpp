#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::held;
using test::Lines;
using test::Program;
using test::wait_of;

TEST_CASE("a short kernel that ends within its launch was not waited for") {
  const Program program(R"(
    thread 1  aaabbb...
    stream 1  .A..BBBBB
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "a") == "launch-overhead");
}

TEST_CASE("with launches that block, copies block too") {
  const Program program(R"(
    thread 1  aaaaaamm..mmm
    stream 1  .AAAAA.M...M.
    M = h2d
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "m") == "launch-blocking M");
}

TEST_CASE("each launch waited for its kernel") {
  const Program program(R"(
    thread 1  aaaaaabbbb
    stream 1  .AAAAA....
    stream 2  .......BBB
  )");
  // A call that waits has handed its kernel over within 5 us: the rest is the way to the GPU.
  REQUIRE(held(program, "B") == Lines{"B launch-blocking host 6.5"});
  const Graph graph = graph_of(program.trace);
  REQUIRE(test::wait_of(program, graph, "a") == "launch-blocking A");
  REQUIRE(test::wait_of(program, graph, "b") == "launch-blocking B");
}

}  // namespace
}  // namespace lapscope::analyzer
