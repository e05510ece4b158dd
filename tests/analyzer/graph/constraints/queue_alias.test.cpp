#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

TEST_CASE("in a hardware channel an op waits for the start of the one of another stream ahead") {
  const Program program(R"(
    thread 1            abcd.....
    stream 1 channel 1  .AAAABBBB
    stream 2 channel 1  .....CCCC
    stream 3 channel 2  ....DDDD.
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"B.start queue-alias"});
  REQUIRE(edges_to(program, graph, "D").empty());
  REQUIRE(held(program, "C D") == Lines{"C queue-alias B 2", "D launch-overhead host 4"});
}

TEST_CASE("channels of one number on two devices are two") {
  const Program program(R"(
    thread 1                                ab.....
    stream 1 channel 1                      .AAAA..
    stream 12 context 2 device 1 channel 1  ..BBBB.
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "B").empty());
}

TEST_CASE("an op that started before the one ahead of it in the channel did not wait for it") {
  const Program program(R"(
    thread 1            abc....
    stream 1 channel 1  .AAAABB
    stream 2 channel 1  ...CC..
  )");
  REQUIRE(edges_to(program, graph_of(program.trace), "C").empty());
}

}  // namespace
}  // namespace lapscope::analyzer
