#include "analyzer/replay/blind.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Lines;
using test::Program;
using test::recorded;
using test::replayed;

Lines blindly(const Program& program) {
  return replayed(program, blind(program.trace, graph_of(program.trace)));
}
Lines drawn(const Program& program) { return recorded(program, graph_of(program.trace)); }

TEST_CASE("a run whose calls and ways all take the same replays blind as it was") {
  const Program program(R"(
    thread 1  aabbccdd..
    stream 1  ..AABBCCDD
    )");
  CHECK(blindly(program) == drawn(program));
}

TEST_CASE("a call takes the median time of the other calls of its function") {
  const Program program(R"(
    thread 1  aabbccccccdd....
    stream 1  ..AABB....CCDD..
    )");
  CHECK(replayed(program, graph_of(program.trace)) == drawn(program));
  CHECK(blindly(program) == Lines{"A 2 to 4", "B 4 to 6", "C 6 to 8", "D 8 to 10"});
}

TEST_CASE("a function that was called once keeps its own time") {
  const Program program(R"(
    thread 1  aabbmmmmmmdd....
    stream 1  ..AABB......DD..
    m = cudaMalloc
    )");
  CHECK(blindly(program) == drawn(program));
}

// The first cudaMalloc takes longer, because it creates the context.
TEST_CASE("calls before the first launch are no example for later calls") {
  const Program program(R"(
    thread 1  mmmmmmaabbnccdd..
    stream 1  ........AABB.CCDD
    m = cudaMalloc
    n = cudaMalloc
    )");
  CHECK(blindly(program) == drawn(program));
}

// The first launch may load code.
TEST_CASE("the first call of a function keeps its own time, and is no example for others") {
  const Program program(R"(
    thread 1  mmaaaaaaannbb....
    stream 1  .........AA..BB..
    m = cudaMalloc
    n = cudaFree
    )");
  CHECK(blindly(program) == drawn(program));
}

// B, C and D start 1, 2 and 1 characters after the op before them. A is the only op that waited for
// the host, so A gets the median latency of the other ops of its engine.
TEST_CASE("an op has the typical latency of ops that waited for the same kind of event") {
  const Program program(R"(
    thread 1  abcd...............
    stream 1  .AAAA.BBBB..CCCC.DD
    )");
  CHECK(replayed(program, graph_of(program.trace)) == drawn(program));
  CHECK(blindly(program) == Lines{"A 2 to 6", "B 7 to 11", "C 12 to 16", "D 17 to 19"});
}

}  // namespace
}  // namespace lapscope::analyzer
