#include "analyzer/machine/shared_throughput.h"

#include "analyzer/graph/sharing.h"
#include "analyzer/replay/replay.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Lines;
using test::Program;
using test::recorded;
using test::replayed;
using test::task_of;

// Returns a graph whose kernels share the whole throughput of their multiprocessors.
Graph sharing_graph(const Program& program) {
  Graph graph = graph_of(program.trace);
  assume(Sharing::most, graph);
  return graph;
}

// Returns how long each op takes if no other op runs, such as "A 4".
Lines alone(const Program& program, const Graph& graph) {
  Lines lines;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    lines.push_back(test::name_of(program, graph, t) + ' ' +
                    test::length_of(program, graph.lengths[t].work));
  }
  return lines;
}

void remove_edges(Graph& graph) {
  graph = test::without_edges(graph, [](const Edge&) { return true; });
}

// One kernel follows the other, so the trace does not show their times side by side:
//
//   recorded              replayed without edges:
//                         they share nothing    they share all throughput
//   stream 1  AAAABBBB    A  AAAA.              A  AAAAAAA.
//                         B  .BBBB              B  .BBBBBBB
constexpr const char* one_after_the_other = R"(
    thread 1  ab.......
    stream 1  .AAAABBBB
)";

TEST_CASE("kernels that share nothing run beside each other for free, others at half the speed") {
  const Program program(one_after_the_other, 1'000'000);
  Graph graph = graph_of(program.trace);
  remove_edges(graph);
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 5", "B 2 to 6"});
  assume(Sharing::most, graph);
  REQUIRE(replay(graph).is_in_doubt);
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 8", "B 2 to 9"});
}

// A kernel on a tenth of the multiprocessors uses less than half of the throughput.
TEST_CASE("kernels on few multiprocessors of their own do not slow each other down") {
  const Program program(std::string(one_after_the_other) + "AB = fills 10", 1'000'000);
  Graph graph = sharing_graph(program);
  remove_edges(graph);
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 5", "B 2 to 6"});
  REQUIRE_FALSE(replay(graph).is_in_doubt);
}

//   recorded         replayed without edges
//   A  AAAA......    A  AAAAAAA...
//   C  ....CCCCCC    C  .CCCCCCCCC    the first 6 columns of C are at half speed
TEST_CASE("a kernel runs as fast as alone after the end of the kernel beside it") {
  const Program program(R"(
    thread 1  ab.........
    stream 1  .AAAACCCCCC
    C = by b
  )",
                        1'000'000);
  Graph graph = sharing_graph(program);
  remove_edges(graph);
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 8", "C 2 to 11"});
}

// A and B overlap for 7. If they share nothing, each kernel would take 8 without the other kernel.
// If they share the throughput, both ran at half speed for 7. Then each kernel would take 1 + 7 / 2
// = 4.5 without the other kernel.
TEST_CASE("the time that a kernel takes alone depends on what it shares with kernels beside it") {
  const Program program(R"(
    thread 1  ab........
    stream 1  .AAAAAAAA.
    stream 2  ..BBBBBBBB
  )");
  Graph graph = graph_of(program.trace);
  REQUIRE(alone(program, graph) == Lines{"A 8", "B 8"});
  REQUIRE(replayed(program, graph) == recorded(program, graph));
  assume(Sharing::most, graph);
  REQUIRE(alone(program, graph) == Lines{"A 4.5", "B 4.5"});
  REQUIRE(replayed(program, graph) == recorded(program, graph));
  assume(Sharing::least, graph);
  REQUIRE(alone(program, graph) == Lines{"A 8", "B 8"});
}

TEST_CASE("a kernel that had room for all its blocks for 0 ns has hardly any work") {
  const Program program(R"(
    thread 1  ab........
    stream 1  .AAAAAAAA.
    stream 2  ..BBBBBBBB
  )",
                        1);
  Graph graph = graph_of(program.trace);
  graph.lengths.edit()[1].all_resident = 0;
  assume(Sharing::most, graph);
  REQUIRE(graph.lengths[1].work <= 1);
}

// Three kernels with different lengths and grids, which overlap in part.
constexpr const char* staggered = R"(
    thread 1  abcd..............
    stream 1  .AAAAAAAAA........
    stream 2  ..BBBBBBBBBBBB....
    stream 3  ....CCCCC.........
    stream 4  ...DDDDDDDDDDDDDDD
    A = fills 15
    B = fills 20
)";

TEST_CASE("the replay of the unchanged run is exact to the nanosecond, whatever kernels share") {
  for (const std::int64_t unit : {1'013, 9'973, 100'003}) {
    Program program(staggered, unit);
    program.trace.devices[0].limits = {100, 32, 32, 32, 0, 0};
    Graph graph = graph_of(program.trace);
    const Replayed least = replay(graph);
    assume(Sharing::most, graph);
    const Replayed most = replay(graph);
    REQUIRE(most.is_in_doubt);
    REQUIRE(most.tasks == least.tasks);
  }
}

TEST_CASE("no work is lost or made by sharing") {
  Program program(staggered, 1'000'000);
  program.trace.devices[0].limits = {100, 32, 32, 32, 0, 0};
  const Graph graph = sharing_graph(program);
  double work = 0;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Lengths& own = graph.lengths[t];
    work += demand_of(graph, graph.tasks[t]) * (static_cast<double>(own.work) + own.work_rest);
  }
  // From 1 to 2, only A runs, with a demand of 0.6. From 2 to 18, the demands of the running
  // kernels sum to at least 1, so these kernels use the whole throughput.
  REQUIRE(std::abs(work / 1e6 - (0.6 + 16)) < 1e-6);
}

// Alone, a kernel takes 4 characters. Two kernels that overlap take 6 characters each: 4 beside the
// other kernel, at half speed, and 2 alone. So each kernel demands the whole throughput.
TEST_CASE("kernels of one class are predicted to take their recorded time beside each other") {
  const Program program(R"(
    thread 1  a....a....a....a.a.......a.a.......
    stream 1  .AAAA.AAAA.AAAA.AAAAAA....AAAAAA..
    stream 2  ..................AAAAAA....AAAAAA
  )");
  Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
  for (const Lengths& own : graph.lengths) REQUIRE(own.work == 4 * program.unit);
  REQUIRE_FALSE(replay(graph).is_in_doubt);  // both assumptions give the same times
}

// B finds room only for its first blocks. Waiting blocks do not slow A down.
TEST_CASE("blocks that wait for room do not slow down the kernel that they wait for") {
  const Program program(R"(
    thread 1  ab.........
    stream 1  .AAAA......
    stream 2  ...BBBBBBBB
    A = fills 50
    B = fills 100
  )");
  REQUIRE(alone(program, sharing_graph(program)) == Lines{"A 4", "B 6"});
}

TEST_CASE("kernels of different devices share nothing") {
  const Program program(R"(
    thread 1                      ab.......
    stream 1                      .AAAAAAAA
    stream 12 context 2 device 1  .BBBBBBBB
  )");
  const Graph graph = sharing_graph(program);
  REQUIRE(alone(program, graph) == Lines{"A 8", "B 8"});
  REQUIRE_FALSE(graph.is_in_doubt);
}

TEST_CASE("the next end is told once, and again when it changes") {
  SharedThroughput throughput;
  throughput.clock().add(1, 0, 0);
  throughput.end_after(1, 10, 0);
  const auto first = throughput.next(0);
  REQUIRE(first);
  REQUIRE(first->time == 10);
  REQUIRE_FALSE(throughput.next(0));
  throughput.clock().add(1, 0, 4);
  throughput.end_after(2, 10, 3);
  const auto later = throughput.next(4);
  REQUIRE(later);
  REQUIRE(later->task == 1);
  REQUIRE(later->time == 16);
  REQUIRE_FALSE(throughput.is_newest(first->version));
  REQUIRE(throughput.is_newest(later->version));
  throughput.take_first();
  throughput.clock().remove(1, 0, 16);
  // Kernel 2 has 10 ns of work. At 16 ns, 6 ns of this work are done, and from then on the kernel
  // runs alone. In the last 3 ns of its work, it leaves room to others.
  const auto last_wave = throughput.next(16);
  REQUIRE(last_wave);
  REQUIRE_FALSE(last_wave->ends);
  REQUIRE(last_wave->time == 17);
  throughput.take_first();
  const auto last = throughput.next(17);
  REQUIRE(last->ends);
  REQUIRE(last->time == 20);
  REQUIRE(throughput.clock().in_doubt_ns() == 0);
}

}  // namespace
}  // namespace lapscope::analyzer
