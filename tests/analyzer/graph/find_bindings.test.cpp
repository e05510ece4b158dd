#include "analyzer/graph/build_graph.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::held;
using test::Lines;
using test::Program;

TEST_CASE("the latest of several constraints binds, and without it the next latest would") {
  const Program program(R"(
    thread 1    abrwcd..........
    stream 1    .AAAA...........
    stream 2    ..BBBBBB........
    stream 3    ........CCCC....
    stream 3    ............DDDD
    r = cudaEventRecord, stream 2, event 1
    w = cudaStreamWaitEvent, stream 3, event 1
    AC = h2d
  )");
  // C: the engine was free at 5, the event happened at 8.
  REQUIRE(held(program, "C") == Lines{"C event-wait B 3"});
}

TEST_CASE("an op whose call is not in the trace and that follows nothing is not explained") {
  const Program program(R"(
    thread 1  b......
    stream 1  .BB....
    stream 2  ...AAAA
  )");
  REQUIRE(held(program, "A") == Lines{"A unexplained"});
}

TEST_CASE("a delay beyond any latency is stated as not explained") {
  const Program program(R"(
    thread 1  ab..........
    stream 1  .AAAA.....BB
  )");
  REQUIRE(held(program, "B") == Lines{"B stream-order A 3 + 3 unexplained"});
}

// What the thread did, while it had not issued B. A runs in a stream of its own, so that only the
// host holds B up.

TEST_CASE("of several things that the thread did, the one that took longest is named") {
  const Program program(R"(
    thread 1  asss.mmmmmb.
    stream 1  .AAA........
    stream 2  ...........B
    s = cudaDeviceSynchronize
    m = cudaMalloc
  )");
  REQUIRE(held(program, "B") == Lines{"B alloc-free host 11"});
}

}  // namespace
}  // namespace lapscope::analyzer
