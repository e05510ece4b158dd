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

// cudaFree waits for each kernel. After the fix, nothing separates the three kernels.
TEST_CASE("the fix removes the time and the waits of cudaMalloc and cudaFree in a loop") {
  const Program program(R"(
    thread 1  maffmbffmcff..
    stream 1  ..AA..BB..CC..
    m = cudaMalloc
    f = cudaFree
  )");
  REQUIRE(replayed(program, fixed(program, "alloc-free")) ==
          Lines{"A 1 to 3", "B 3 to 5", "C 5 to 7"});
}

TEST_CASE("what is allocated once stays, unless all calls are asked for") {
  const Program program(R"(
    thread 1  mmmaffffffb..
    stream 1  ....AAAAAA...
    stream 2  ...........BB
    m = cudaMalloc
    f = cudaFree
  )");
  REQUIRE(replayed(program, fixed(program, "alloc-free")) ==
          replayed(program, graph_of(program.trace)));
  REQUIRE(replayed(program, fixed(program, "alloc-free:1")) == Lines{"A 1 to 7", "B 2 to 4"});
}

using test::edges_to;
using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;
using test::replayed_wall;

// cudaFreeHost waits for each kernel. After the fix, nothing separates the three kernels.
TEST_CASE("the fix removes the time and the waits of cudaHostAlloc and cudaFreeHost in a loop") {
  const Program program(R"(
    thread 1  maffmbffmcff..
    stream 1  ..AA..BB..CC..
    m = cudaHostAlloc
    f = cudaFreeHost
  )");
  REQUIRE(replayed(program, fixed(program, "host-pinning")) ==
          Lines{"A 1 to 3", "B 3 to 5", "C 5 to 7"});
}

TEST_CASE("what is page-locked once stays, unless all calls are asked for") {
  const Program program(R"(
    thread 1  mmmaffffffb..
    stream 1  ....AAAAAA...
    stream 2  ...........BB
    m = cudaHostAlloc
    f = cudaFreeHost
  )");
  REQUIRE(replayed(program, fixed(program, "host-pinning")) ==
          replayed(program, graph_of(program.trace)));
  REQUIRE(replayed(program, fixed(program, "host-pinning:1")) == Lines{"A 1 to 7", "B 2 to 4"});
}

}  // namespace
}  // namespace lapscope::analyzer
