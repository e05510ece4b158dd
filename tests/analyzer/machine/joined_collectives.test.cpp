#include "analyzer/machine/joined_collectives.h"

#include "analyzer/replay/replay.h"
#include "tests/analyzer/machine/on_machine.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Lines;
using test::Program;
using test::recorded;
using test::replayed;

// A spins until B also runs.
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
  Lengths& before = graph.lengths.edit()[test::task_of(program, graph, "C")];
  before.work = 6 * program.unit;
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 13", "B 8 to 14", "C 2 to 8"});
  before.work = 1 * program.unit;
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 8", "B 3 to 9", "C 2 to 3"});
}

TEST_CASE("ranks take as long as alone from when the last of them runs") {
  REQUIRE(test::run_on_machine(Program(R"(
    thread 1                      abc.......
    stream 1                      .AAAA.....
    stream 12 context 2 device 1  ...BBBB...
    stream 23 context 3 device 2  ..CCCC....
    ABC = named ncclDevKernel_AllReduce
  )")) == Lines{"A 1 to 5", "B 3 to 7", "C 2 to 6"});
}

// The second device runs the two collectives in reverse order, so both devices would wait forever.
// An edited graph can contain this order.
TEST_CASE("collectives that wait for each other do not stop the replay") {
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
  for (const std::uint32_t rank : {1U, 3U}) graph.tasks.edit()[graph.ranks[rank].task].rank = rank;
  const Replayed times = replay(graph);
  REQUIRE(times.stuck == 0);
  for (const Interval& time : times.tasks) REQUIRE(time.start < time.end);
}

}  // namespace
}  // namespace lapscope::analyzer
