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

TEST_CASE("without cudaHostAlloc and cudaFreeHost the thread neither takes their time nor waits") {
  const Program program(R"(
    thread 1  mmmaffffffb..
    stream 1  ....AAAAAA...
    stream 2  ...........BB
    m = cudaHostAlloc
    f = cudaFreeHost
  )");
  REQUIRE(replayed(program, fixed(program, "host-pinning")) == Lines{"A 1 to 7", "B 2 to 4"});
}

}  // namespace
}  // namespace lapscope::analyzer
