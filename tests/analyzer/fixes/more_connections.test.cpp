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

TEST_CASE("with a channel of its own a stream does not wait for another one") {
  const Program program(R"(
    thread 1            abc........
    stream 1 channel 1  .AAAABBBB..
    stream 2 channel 1  .....CCCCCC
  )");
  REQUIRE(replayed(program, fixed(program, "queue-alias")) ==
          Lines{"A 1 to 5", "B 5 to 9", "C 3 to 9"});
}

// CUDA assigns connections to streams in turn, in the order of stream ids. With two connections,
// the first and the third stream share one. On this connection, D is behind B.
TEST_CASE("connections are assigned to streams in turn") {
  const Program program(R"(
    thread 1            abcd.......
    stream 1 channel 1  .AAAABBBB..
    stream 2 channel 1  .....CCCC..
    stream 3 channel 1  .....DDDD..
  )");
  const auto recorded = replayed(program, graph_of(program.trace));
  REQUIRE(replayed(program, fixed(program, "queue-alias:1")) == recorded);
  REQUIRE(replayed(program, fixed(program, "queue-alias:2")) ==
          Lines{"A 1 to 5", "B 5 to 9", "C 3 to 7", "D 5 to 9"});
  REQUIRE(replayed(program, fixed(program, "queue-alias:3")) ==
          Lines{"A 1 to 5", "B 5 to 9", "C 3 to 7", "D 4 to 8"});
}

TEST_CASE("a program that asked for all connections there are gets no more") {
  Program program(R"(
    thread 1            abc........
    stream 1 channel 1  .AAAABBBB..
    stream 2 channel 1  .....CCCCCC
  )");
  program.trace.settings["CUDA_DEVICE_MAX_CONNECTIONS"] = "32";
  REQUIRE(replayed(program, fixed(program, "queue-alias")) ==
          replayed(program, graph_of(program.trace)));
  program.trace.settings["CUDA_DEVICE_MAX_CONNECTIONS"] = "8";
  REQUIRE(replayed(program, fixed(program, "queue-alias")) ==
          Lines{"A 1 to 5", "B 5 to 9", "C 3 to 9"});
}

// With one connection, C waits for the start of B, and B waits for A.
TEST_CASE("fewer connections delay the ops of a stream that had its own connection") {
  const Program program(R"(
    thread 1            abc......
    stream 1 channel 1  .AAAABBBB
    stream 2 channel 2  ...CCCC..
  )");
  REQUIRE(replayed(program, fixed(program, "queue-alias:1")) ==
          Lines{"A 1 to 5", "B 5 to 9", "C 5 to 9"});
}

}  // namespace
}  // namespace lapscope::analyzer
