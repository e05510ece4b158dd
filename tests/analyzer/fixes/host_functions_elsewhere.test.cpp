#include "analyzer/fixes/fix.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;

// The only latency in this trace is half a character, from f to B. With the fix, B follows A with
// this latency.
TEST_CASE("with the fix, the op after a host function follows the op before it") {
  const Program program(R"(
    thread 1  afb.........
    stream 1  .AAAA...BBBB
    f = cudaLaunchHostFunc
)");
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          Lines{"A 1 to 5", "B 5.5 to 9.5", "f 5 to 5"});
}

TEST_CASE("several host functions in a row are passed, too") {
  const Program program(R"(
    thread 1  afgb............
    stream 1  .AAAA......BBBB.
    f = cudaLaunchHostFunc
    g = cudaLaunchHostFunc
)");
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          Lines{"A 1 to 5", "B 5.5 to 9.5", "f 5 to 5", "g 5 to 5"});
}

// f occupied the thread of the driver, so g waited for f. With the fix, C waits only for B.
TEST_CASE("host functions of two streams do not wait for each other") {
  const Program program(R"(
    thread 1  afdbgc..............
    stream 1  .AAAA......DDD......
    stream 2  ....BBB..........CC.
    f = cudaLaunchHostFunc, stream 1
    g = cudaLaunchHostFunc, stream 2
)");
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          Lines{"A 1 to 5", "B 4 to 7", "C 8 to 10", "D 5.5 to 8.5", "f 5 to 5", "g 7.5 to 7.5"});
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
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          Lines{"A 1 to 5", "B 7 to 11", "f 5 to 5"});
}

TEST_CASE("one behind which nothing comes, or that comes first, is none's business") {
  const Program program(R"(
    thread 1  fab.........
    stream 1  .....AAAABBB
    f = cudaLaunchHostFunc, stream 1
)");
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          Lines{"A 2 to 6", "B 6 to 9", "f 1 to 1"});
}

TEST_CASE("what follows a host function in a graph follows what the function follows") {
  const Program program(R"(
    thread 1  g..............
    stream 1  .AAA......BBB..
    f = host, after A
    A = by g
    B = by g, after f
  )");
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          Lines{"A 1 to 4", "B 4 to 7", "f 4 to 4"});
}

TEST_CASE("a fix of many host functions adds nothing to what tasks wait for") {
  std::string thread = "thread 1  a";
  std::string stream = "stream 1  .A";
  for (int i = 0; i < 20; ++i) {
    thread += "fa";
    stream += ".A";
  }
  const Program program(thread + '\n' + stream + "\nf = cudaLaunchHostFunc\n");
  REQUIRE(fixed(program, "host-func").edges.size() <= graph_of(program.trace).edges.size());
}

}  // namespace
}  // namespace lapscope::analyzer
