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

// P is a copy of page-locked memory: 2 characters for 2 MiB.
TEST_CASE("copies of page-locked memory go at the best rate seen, and their calls return at once") {
  const Program program(R"(
    thread 1  pmmmmmmmmb...
    stream 1  .PPMMMMMM....
    stream 2  ..........BBB
    P = h2d, bytes 2097152
    M = h2d, bytes 2097152, pageable
  )");
  REQUIRE(replayed_wall(program, graph_of(program.trace)) == "12");
  REQUIRE(replayed(program, fixed(program, "pageable-copy")) ==
          Lines{"B 2.5 to 5.5", "M 3 to 5", "P 1 to 3"});
}

TEST_CASE(
    "without page-locked copies, the link gives the copy rate, and without a link it is unknown") {
  Program program(R"(
    thread 1  mmmmmmmmb...
    stream 1  .MMMMMMM....
    stream 2  .........BBB
    M = h2d, bytes 2097152, pageable
  )");
  const auto work = [&] {
    const Graph graph = fixed(program, "pageable-copy");
    return graph.lengths[test::task_of(program, graph, "M")].work;
  };
  const auto lacks = [&] { return pin_memory.lacks(program.trace, graph_of(program.trace)); };
  REQUIRE(work() == 70'000);
  REQUIRE(lacks() == Engine::h2d);
  program.trace.devices[0].links.host = 63'000'000'000;
  REQUIRE_FALSE(lacks());
  REQUIRE(work() == 37'827);  // 2 MiB at 0.88 * 63 GB/s
  REQUIRE(fixed(program, "pageable-copy").stand_ins.count("share_of_link") == 1);
  program.trace.devices[0].links.host = 1'000'000'000;
  REQUIRE(work() == 70'000);  // P was quicker than this
}

TEST_CASE(
    "if no page-locked copy has the same direction, the other direction gives the copy rate") {
  Program program(R"(
    thread 1  pmmmmmmmmb...
    stream 1  .PPMMMMMM....
    stream 2  ..........BBB
    P = d2h, bytes 2097152
    M = h2d, bytes 2097152, pageable
  )");
  program.trace.devices[0].links.host = 63'000'000'000;
  const Graph graph = fixed(program, "pageable-copy");
  REQUIRE(graph.lengths[test::task_of(program, graph, "M")].work == 2 * program.unit);
  REQUIRE(graph.stand_ins.count("share_of_link") == 0);
}

// With the fix, M takes 2 characters instead of 7.
TEST_CASE("a blocking copy of page-locked memory is faster, but still blocks the thread") {
  const Program program(R"(
    thread 1  p.mmmmmmmmb....
    stream 1  .PP............
    legacy 7  ...MMMMMMM.....
    stream 2  ...........BBB.
    P = h2d, bytes 2097152
    M = h2d, bytes 2097152, pageable
    m = cudaMemcpy
  )");
  const Graph graph = fixed(program, "pageable-copy");
  REQUIRE(test::wait_of(program, graph, "m") == "host-sync M");
  REQUIRE(replayed(program, graph) == Lines{"B 6 to 9", "M 3 to 5", "P 1 to 3"});
  REQUIRE(test::wait_of(program, fixed(program, "pageable-copy host-sync"), "m") == "host-sync");
}

// In the recording, the call m returned before the end of M: the driver had already copied M's data
// to its own memory. With page-locked memory, m returns only after the end of M. M starts at the
// end of P, because the trace shows no latency between copies.
TEST_CASE("with page-locked memory, a blocking copy call returns only after the end of its copy") {
  const Program program(R"(
    thread 1  p.mmmmmm.b.....
    stream 1  .PP............
    legacy 7  ...MMMMMMM.....
    stream 2  ..........BBB..
    P = h2d, bytes 2097152
    M = h2d, bytes 2097152, pageable
    m = cudaMemcpy
  )");
  REQUIRE(replayed(program, fixed(program, "pageable-copy")) ==
          Lines{"B 7 to 10", "M 3 to 5", "P 1 to 3"});
}

}  // namespace
}  // namespace lapscope::analyzer
