#include "analyzer/machine/multiprocessors.h"

#include "analyzer/graph/sharing.h"
#include "analyzer/replay/replay.h"
#include "tests/analyzer/machine/on_machine.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Lines;
using test::Program;
using test::recorded;
using test::replayed;
using test::run_on_machine;

Program three_kernels(const std::string& legend) {
  return Program(R"(
    thread 1              abc........
    stream 1              .AAAA......
    stream 2              ..BBBB.....
    stream 3 priority -1  ...CCCC....
    )" + legend);
}

TEST_CASE("kernels run beside each other while there is room") {
  REQUIRE(run_on_machine(three_kernels("ABC = fills 30")) ==
          Lines{"A 1 to 5", "B 2 to 6", "C 3 to 7"});
}

TEST_CASE("kernels that find no room wait, and those of the higher priority go first") {
  REQUIRE(run_on_machine(three_kernels("ABC = fills 100")) ==
          Lines{"A 1 to 5", "B 9 to 13", "C 5 to 9"});
}

// At first, B has the 40 % that A leaves. It gets the rest when A ends. C gets the room of B's
// first blocks.
TEST_CASE("a kernel starts with some of its blocks, and the others come when there is room") {
  REQUIRE(run_on_machine(three_kernels("A = fills 60\nB = fills 100\nC = fills 10")) ==
          Lines{"A 1 to 5", "B 2 to 9", "C 6 to 10"});
}

TEST_CASE("kernels whose demands exceed the throughput slow each other down") {
  const Program two(R"(
    thread 1  ab........
    stream 1  .AAAA.....
    stream 2  .BBBBBB...
  )");
  REQUIRE(run_on_machine(two, 0.5) == Lines{"A 1 to 5", "B 1 to 7"});
  REQUIRE(run_on_machine(two, 1) == Lines{"A 1 to 9", "B 1 to 11"});
}

// The last wave of a kernel can leave room to waiting kernels. With Sharing::least, a replay
// assumes that the last wave leaves the room SmUse::spare. With Sharing::most, a replay assumes
// that the last wave leaves no room.
//
// Removes all edges, so that a kernel starts as soon as it has room.
Graph without_order(const Program& program, Sharing end) {
  Graph graph = graph_of(program.trace);
  assume(end, graph);
  graph.latencies = {};
  return test::without_edges(graph, [](const Edge&) { return true; });
}

Program two_in_a_stream(const std::string& shapes) {
  return Program(R"(
    thread 1  ab.................
    stream 1  .AAAAAAAABBBBBBBB
    )" + shapes,
                 1'000'000);
}

// Each kernel has 1.5 waves, and takes 2 rounds. So SmUse::spare is 1 - 1.5 / 2 = 1/4. With
// Sharing::least, B starts when a quarter of A's time is left.
TEST_CASE("a kernel starts in the last wave of the kernel before it, or at the end of this wave") {
  const Program program = two_in_a_stream("AB = fills 150");
  const Graph least = without_order(program, Sharing::least);
  REQUIRE(replayed(program, least) == Lines{"A 1 to 9", "B 7 to 13"});
  const Graph most = without_order(program, Sharing::most);
  REQUIRE(replayed(program, most) == Lines{"A 1 to 9", "B 9 to 17"});
  REQUIRE(replay(most).last_waves_ns == 2 * program.unit);
  REQUIRE_FALSE(replay(most).is_in_doubt);  // A and B never overlap
}

TEST_CASE("with Sharing::least, kernels take the time of their waves, not of their rounds") {
  const Program program(R"(
    thread 1  abcd............................
    stream 1  .AAAAAAAABBBBBBBBCCCCCCCCDDDDDDDD
    ABCD = fills 150
  )",
                        1'000'000);
  const Graph graph = without_order(program, Sharing::least);
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 9", "B 7 to 13", "C 13 to 21", "D 19 to 25"});
}

TEST_CASE("a last wave leaves no room if all waves are full, or if the kernel has only one wave") {
  for (const char* shapes : {"AB = fills 200", "AB = fills 100"}) {
    const Program program = two_in_a_stream(shapes);
    INFO(shapes);
    const Graph most = without_order(program, Sharing::most);
    REQUIRE(replay(most).last_waves_ns == 0);
    REQUIRE(replayed(program, without_order(program, Sharing::least)) ==
            Lines{"A 1 to 9", "B 9 to 17"});
  }
}

TEST_CASE("the last wave of a kernel leaves room only if another kernel waits") {
  const Program program = two_in_a_stream("AB = fills 150");
  Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
  assume(Sharing::most, graph);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
  REQUIRE(replay(graph).last_waves_ns == 0);
}

// B waited until the end of A. C has the shape of A, and D has the shape of B.
TEST_CASE("if a kernel left no room, other kernels of its shape leave none") {
  const Program program(R"(
    thread 1  ab.............cd............
    stream 1  .AAAAAAAA.......CCCCCCCCDDDD.
    stream 2  .........BBBB................
    AC = fills 150
    BD = fills 10
  )",
                        1'000'000);
  REQUIRE(replayed(program, without_order(program, Sharing::least)) ==
          Lines{"A 1 to 9", "B 9 to 13", "C 16 to 24", "D 24 to 28"});
}

// B starts at 6, 8 or 9. In each case, the replay of the unchanged run gives the recorded times.
TEST_CASE("kernels that ran in the last wave of other kernels start there again") {
  for (const char* stream : {"......BBBBBBBB", "........BBBBBBBB", ".........BBBBBBBB"}) {
    const Program program(std::string(R"(
    thread 1  ab................
    AB = fills 150
    stream 1  .AAAAAAAA.........
    stream 2  )") + stream);
    INFO(stream);
    Graph graph = graph_of(program.trace);
    REQUIRE(replayed(program, graph) == recorded(program, graph));
    assume(Sharing::most, graph);
    REQUIRE(replayed(program, graph) == recorded(program, graph));
  }
}

}  // namespace
}  // namespace lapscope::analyzer
