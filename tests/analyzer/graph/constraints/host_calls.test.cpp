#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::held;
using test::Lines;
using test::Program;
using test::wait_of;

TEST_CASE("a release that returned while work went on did not wait for it") {
  const Program program(R"(
    thread 1  aff......
    stream 1  .AAAAAA..
    f = cudaFree
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "f") == "alloc-free");
}

TEST_CASE("a release waits for the work of all threads of its process, and of no other one") {
  const Program program(R"(
    thread 1            a.fffff.
    thread 2            .b......
    thread 1 process 2  .c......
    stream 1            .AAA....
    stream 2            ..BBBB..
    stream 3 process 2  ..CCC...
    f = cudaFree
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "f") == "alloc-free A B");
}

TEST_CASE("a release waits for the device of which something ended, when others went on") {
  const Program program(R"(
    thread 1                      abc.ffff...
    stream 1                      .AAAAAA....
    stream 12 context 2 device 1  ..BBBBBBBBB
    stream 23 context 3 device 2  ...C.......
    f = cudaFree
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "f") == "alloc-free A");
}

TEST_CASE("a release names what came since the thread released last: it comes after that one") {
  const Program program(R"(
    thread 1  afff.bhhh...
    thread 2  ..........iii
    stream 1  .AA.........
    stream 2  ......BB....
    fhi = cudaFree
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(wait_of(program, graph, "f") == "alloc-free A");
  REQUIRE(wait_of(program, graph, "h") == "alloc-free B");
  REQUIRE(wait_of(program, graph, "i") == "alloc-free A B");
}

TEST_CASE("a release in the order of a stream waits for nothing") {
  const Program program(R"(
    thread 1  affff.
    stream 1  .AAA..
    f = cudaFreeAsync
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "f") == "alloc-free");
}

TEST_CASE("memory was allocated, or released behind all running work") {
  const Program allocates(R"(
    thread 1  ammmmmb..
    stream 1  .AAAAAAAA
    stream 2  .......BB
    m = cudaMalloc
  )");
  REQUIRE(held(allocates, "B") == Lines{"B alloc-free host 7"});
  REQUIRE(test::wait_of(allocates, graph_of(allocates.trace), "m") == "alloc-free");
  const Program releases(R"(
    thread 1  affffffb..
    stream 1  .AAAAAA...
    stream 2  ........BB
    f = cudaFree
  )");
  REQUIRE(held(releases, "B") == Lines{"B alloc-free host 8"});
  REQUIRE(test::wait_of(releases, graph_of(releases.trace), "f") == "alloc-free A");
}

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

// The call c counts as the host's own work before B, because c and such work have the same fix.
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
