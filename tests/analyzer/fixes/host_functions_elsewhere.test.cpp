#include "analyzer/fixes/fix.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::fixed;
using test::Lines;
using test::Program;
using test::replayed;

TEST_CASE("what follows a host function follows what the function follows") {
  const Program program(R"(
    thread 1  afb.........
    stream 1  .AAAA...BBBB
    f = cudaLaunchHostFunc
)");
  const Graph graph = fixed(program, "host-func");
  REQUIRE(edges_to(program, graph, "f") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "B") == Lines{"A stream-order"});
}

TEST_CASE("several host functions in a row are passed, too") {
  const Program program(R"(
    thread 1  afgb............
    stream 1  .AAAA......BBBB.
    f = cudaLaunchHostFunc
    g = cudaLaunchHostFunc
)");
  REQUIRE(edges_to(program, fixed(program, "host-func"), "B") == Lines{"A stream-order"});
}

// g waited for the thread of the driver, which f kept: C only follows B then.
TEST_CASE("host functions of two streams do not wait for each other") {
  const Program program(R"(
    thread 1  afdbgc..............
    stream 1  .AAAA......DDD......
    stream 2  ....BBB..........CC.
    f = cudaLaunchHostFunc, stream 1
    g = cudaLaunchHostFunc, stream 2
)");
  const Graph graph = fixed(program, "host-func");
  REQUIRE(edges_to(program, graph, "g") == Lines{"B stream-order"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"B stream-order"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"A stream-order"});
}

TEST_CASE("who waits for an event behind a host function waits for the event all the same") {
  const Program program(R"(
    thread 1  afrwb.........
    stream 1  .AAAA.........
    stream 2  .........BBBB.
    f = cudaLaunchHostFunc, stream 1
    r = cudaEventRecord, event 7, stream 1
    w = cudaStreamWaitEvent, event 7, stream 2
)");
  REQUIRE(edges_to(program, fixed(program, "host-func"), "B") == Lines{"A event-wait"});
}

TEST_CASE("one behind which nothing comes, or that comes first, is none's business") {
  const Program program(R"(
    thread 1  fab.........
    stream 1  .....AAAABBB
    f = cudaLaunchHostFunc, stream 1
)");
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          Lines{"A 2.2 to 6.2", "B 6.2 to 9.2", "f 1 to 4.5"});
}

TEST_CASE("what follows a host function in a graph follows what the function follows") {
  const Program program(R"(
    thread 1  g..............
    stream 1  .AAA......BBB..
    f = host, after A
    A = by g
    B = by g, after f
  )");
  const Graph graph = fixed(program, "host-func");
  REQUIRE(edges_to(program, graph, "B") == Lines{"A graph-edge"});
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 4", "B 4 to 7", "f 4 to 9.5"});
}

}  // namespace
}  // namespace lapscope::analyzer
