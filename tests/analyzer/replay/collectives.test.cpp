#include "analyzer/replay/replay.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

// Kernels that wait for those of other devices, in a replay.
namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Lines;
using test::Program;
using test::recorded;
using test::replayed;

// A spins until B runs as well.
constexpr const char* late_rank = R"(
    thread 1                      acb........
    stream 1                      .AAAAAAAAA.
    stream 12 context 2 device 1  ..CCCBBBBBB
    AB = named ncclDevKernel_AllReduce
)";

TEST_CASE("a collective that is not changed ends on each device when it did") {
  const Program program(late_rank);
  const Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
}

TEST_CASE("a rank ends when the last one starts later, and sooner when that starts sooner") {
  const Program program(late_rank);
  Graph graph = graph_of(program.trace);
  Task& before = graph.tasks[test::task_of(program, graph, "C")];
  before.work = 6 * program.unit;
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 13", "B 8 to 14", "C 2 to 8"});
  before.work = 1 * program.unit;
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 8", "B 3 to 9", "C 2 to 3"});
}

// The second device takes the two in the other order: each waits for a kernel that cannot start.
// No program that ended did that, but a graph that was changed may.
TEST_CASE("collectives that wait for each other go on all the same") {
  const Program program(R"(
    thread 1                      abcd...........
    stream 1                      .AAAACCCC......
    stream 12 context 2 device 1  .BBBBDDDD......
    AB = named ncclDevKernel_AllReduce
    CD = named ncclDevKernel_AllGather
  )");
  Graph graph = graph_of(program.trace);
  REQUIRE(graph.collectives.size() == 2);
  std::swap(graph.ranks[1].task, graph.ranks[3].task);
  for (const std::uint32_t rank : {1U, 3U}) graph.tasks[graph.ranks[rank].task].rank = rank;
  const Replayed times = replay(graph);
  REQUIRE(times.stuck == 0);
  for (std::size_t t = 0; t < times.end.size(); ++t) REQUIRE(times.start[t] < times.end[t]);
}

// B became ready when C had taken the room: by its usual latency, 1.3 us, it would have been first.
TEST_CASE("a kernel that lost the race for room loses it in the replay") {
  const Program program(R"(
    thread 1  arwcb.......................................
    stream 1  ......AAAA..CCCCCCCCCCCCCCCCCCCCCCCCCCCCCC..
    stream 2  ..........................................BB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    B = fills 10
    C = fills 100
  )",
                        1'000);
  const Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
}

// A has the rest of its room when B ends, though it had started with all of it.
TEST_CASE("a kernel of higher priority gets its room from one that has just started") {
  const Program program(R"(
    thread 1              ab............
    stream 1              .AAAAAAAAA....
    stream 2 priority -1  ..BBB.........
    A = fills 100
    B = fills 10
  )",
                        1'000);
  const Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
}

TEST_CASE("a kernel that was kept out is kept out in the replay") {
  const Program program(R"(
    thread 1  arwcb.........
    stream 1  .AAAACCCCCC...
    stream 2  ...........BBB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    B = fills 10
    C = fills 50
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
}

}  // namespace
}  // namespace lapscope::analyzer
