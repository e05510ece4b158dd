#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::held;
using test::Lines;
using test::Program;
using test::wait_of;

TEST_CASE("page-locked memory was allocated, or released behind all running work") {
  const Program allocates(R"(
    thread 1  ammmmmb..
    stream 1  .AAAAAAAA
    stream 2  .......BB
    m = cudaHostAlloc
  )");
  REQUIRE(held(allocates, "B") == Lines{"B host-pinning host 7"});
  REQUIRE(test::wait_of(allocates, graph_of(allocates.trace), "m") == "host-pinning");
  const Program releases(R"(
    thread 1  affffffb..
    stream 1  .AAAAAA...
    stream 2  ........BB
    f = cudaFreeHost
  )");
  REQUIRE(held(releases, "B") == Lines{"B host-pinning host 8"});
  REQUIRE(test::wait_of(releases, graph_of(releases.trace), "f") == "host-pinning A");
}

}  // namespace
}  // namespace lapscope::analyzer
