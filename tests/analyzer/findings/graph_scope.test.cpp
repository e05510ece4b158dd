#include "analyzer/findings/graph_scope.h"

#include "analyzer/graph/build_graph.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

TEST_CASE("of a scope the tasks of its ops count, of its device and no host functions") {
  const Program program(R"(
    thread 1                      afbc......
    stream 1                      .AAA..BBB.
    stream 12 context 2 device 1  ....CCCCCC
    f = cudaLaunchHostFunc
  )");
  const Graph graph = test::graph_of(program.trace);
  const GraphScope first = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  REQUIRE(first.tasks.size() == 2);
  const Replayed times = replay(graph);
  REQUIRE(wall_of(first, times) == 8 * program.unit);
  REQUIRE(sum_of(first, times) == 6 * program.unit);
  REQUIRE(window_of(first, times) == Interval{program.unit, 9 * program.unit});
  const GraphScope second = graph_scope(graph, 1, whole(program.trace.devices[1].ops));
  REQUIRE(wall_of(second, times) == 6 * program.unit);
}

// A replay in which everything takes twice as long.
Replayed twice_as_slow(const Graph& graph) {
  Replayed times = replay(graph);
  for (auto* column : {&times.start, &times.end}) {
    for (std::int64_t& time : *column) time *= 2;
  }
  return times;
}

TEST_CASE("of a task that reaches over a border the same part counts in every replay") {
  const Program program(R"(
    thread 1  a.b..............
    stream 1  .AAAAAAAA........
    stream 2  ......BBB........
  )");
  const Graph graph = test::graph_of(program.trace);
  const auto window = [&](std::int64_t from, std::int64_t to) {
    const Interval interval{from * program.unit, to * program.unit};
    return graph_scope(graph, 0, *within(program.trace.devices[0].ops, interval));
  };
  const GraphScope middle = window(5, 8);
  REQUIRE(middle.tasks.size() == 2);
  const Replayed as_recorded = replay(graph);
  REQUIRE(window_of(middle, as_recorded) == Interval{5 * program.unit, 8 * program.unit});
  REQUIRE(sum_of(middle, as_recorded) == (3 + 2) * program.unit);
  // A runs from 2 to 18 and B from 12 to 18: half and an eighth of A, a third of B are outside.
  const Replayed slow = twice_as_slow(graph);
  REQUIRE(window_of(middle, slow) == Interval{10 * program.unit, 16 * program.unit});
  REQUIRE(sum_of(middle, slow) == (6 + 4) * program.unit);
}

TEST_CASE("idle time at the borders of a window stays as it was") {
  const Program program(R"(
    thread 1  ....a..........
    stream 1  .....AA........
  )");
  const Graph graph = test::graph_of(program.trace);
  const Interval window{3 * program.unit, 10 * program.unit};
  const GraphScope scope = graph_scope(graph, 0, *within(program.trace.devices[0].ops, window));
  REQUIRE(window_of(scope, replay(graph)) == window);
  REQUIRE(wall_of(scope, twice_as_slow(graph)) == (2 + 4 + 3) * program.unit);
}

TEST_CASE("a scope that the graph does not hold takes no time") {
  const Program program(R"(
    thread 1  ab...
    stream 1  .AABB
  )");
  const Graph graph = build_graph(program.trace, {0, 1});
  const auto later = within(program.trace.devices[0].ops, {4 * program.unit, 5 * program.unit});
  const GraphScope scope = graph_scope(graph, 0, *later);
  REQUIRE(scope.tasks.empty());
  REQUIRE(wall_of(scope, replay(graph)) == 0);
}

}  // namespace
}  // namespace lapscope::analyzer
