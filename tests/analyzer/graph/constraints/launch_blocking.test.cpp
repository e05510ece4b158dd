#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::held;
using test::Lines;
using test::Program;
using test::wait_of;

TEST_CASE(
    "where another launch did not wait, a kernel that ends within its launch did so by chance") {
  const Program program(R"(
    thread 1  aaabbbcccddd......
    stream 1  .A..B..C..DDDDDDDD
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(wait_of(program, graph, "a") == "launch-overhead");
  REQUIRE(wait_of(program, graph, "d") == "launch-overhead");
}

TEST_CASE("of one or two launches nobody knows") {
  const Program program(R"(
    thread 1  aaaaaabbbb
    stream 1  .AAAAA.BB.
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "a") == "launch-overhead");
}

TEST_CASE("with launches that block, copies block too") {
  const Program program(R"(
    thread 1  aaabbbcccmm..mmm
    stream 1  .A..B..C..M...M.
    M = h2d
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "m") == "launch-blocking M");
}

TEST_CASE("each launch waited for its kernel, however short") {
  const Program program(R"(
    thread 1  aaaaaabbbbcc
    stream 1  .AAAAA....C.
    stream 2  .......BBB..
  )");
  // A blocking call gives its kernel to the GPU within 5 us. The rest of the time is latency.
  REQUIRE(held(program, "B") == Lines{"B launch-blocking host 6.5"});
  const Graph graph = graph_of(program.trace);
  REQUIRE(wait_of(program, graph, "a") == "launch-blocking A");
  REQUIRE(wait_of(program, graph, "b") == "launch-blocking B");
  REQUIRE(wait_of(program, graph, "c") == "launch-blocking C");
}

}  // namespace
}  // namespace lapscope::analyzer
