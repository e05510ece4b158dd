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

// The call still takes 5 us: half a character.
TEST_CASE("a thread that does not wait goes on with its calls") {
  const Program program(R"(
    thread 1  asssssb..
    stream 1  .AAAAA...
    stream 2  .......BB
    s = cudaDeviceSynchronize
  )");
  REQUIRE(replayed(program, fixed(program, "host-sync")) == Lines{"A 1 to 6", "B 2.5 to 4.5"});
}

TEST_CASE("a blocking copy becomes an asynchronous one outside the default stream") {
  const Program program(R"(
    thread 1    ammmmmmmmb....
    blocking 1  .AAAA.........
    legacy 7    .....MMMM.....
    blocking 2  ..........BBBB
    m = cudaMemcpy
    M = h2d
  )");
  const Graph graph = fixed(program, "host-sync");
  REQUIRE(edges_to(program, graph, "M").empty());
  REQUIRE(edges_to(program, graph, "B").empty());
  // m takes until 1.5 then; M is on its way then, and takes 2 us.
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 5", "B 2.5 to 6.5", "M 1.7 to 5.7"});
}

}  // namespace
}  // namespace lapscope::analyzer
