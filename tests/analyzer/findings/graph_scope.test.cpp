#include "analyzer/findings/graph_scope.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/graph/build_graph.h"
#include "analyzer/replay/replay.h"
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

// Replays a graph with all durations doubled.
Replayed twice_as_slow(const Graph& graph) {
  Replayed times = replay(graph);
  for (Interval& time : times.tasks.edit()) time = {2 * time.start, 2 * time.end};
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
  // A runs from 2 to 18, and five eighths of it lie outside the window. B runs from 12 to 18, and a
  // third of it lies outside.
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

using test::graph_of;
using test::Program;

// In the replay, the kernel B runs beside the copy A. The window of the replay reaches from the
// start of A to the end of A.
//
//   recorded  AAAA..BBB     replayed  AAAA
//                                     .BBB
TEST_CASE("the activity in a replay has the times of the replay and the engines of the graph") {
  const Program program(R"(
    thread 1  asssssb...
    stream 1  .AAAA.....
    stream 2  .......BBB
    s = cudaDeviceSynchronize
    A = h2d
  )",
                        1'000);
  const Device& device = program.trace.devices[0];
  Graph graph = graph_of(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(device.ops));
  const Activity before = replayed_activity(device, {}, graph, scope, graph.times);
  CHECK(before.window == Interval{1'000, 10'000});
  CHECK(before.sum == 7'000);
  CHECK(before.time_with_both(classes::h2d, classes::compute) == 0);

  Times moved = graph.times;
  for (const std::uint32_t t : scope.tasks) {
    if (graph.tasks[t].engine != Engine::compute) continue;
    moved.tasks.edit()[t].start -= 5'000;
    moved.tasks.edit()[t].end -= 5'000;
  }
  const Activity beside = replayed_activity(device, {}, graph, scope, moved);
  CHECK(beside.window == Interval{1'000, 5'000});
  CHECK(beside.time_with_both(classes::h2d, classes::compute) == 3'000);

  for (Task& task : graph.tasks.edit()) task.engine = Engine::d2h;
  const Activity other = replayed_activity(device, {}, graph, scope, moved);
  CHECK(other.sum_of(Engine::d2h) == 7'000);
  CHECK(other.sum_of(Engine::h2d) == 0);
}

// The scope contains only B, so the time of A is other work: in the recording and in the replay.
//   recorded  B.AAAA.B     replayed  B.AAAAB
TEST_CASE("ops outside the scope are other work in a replay, too") {
  const Program program(R"(
    thread 1  b.a...b..
    stream 1  ...AAAA..
    stream 2  .B......B
  )",
                        1'000);
  const Device& device = program.trace.devices[0];
  const Graph graph = graph_of(program.trace);
  Scope some = of_ops(device.ops, {0, 2}).value();
  some.device_busy = std::make_shared<IntervalSet>(busy_of(device.ops));
  const GraphScope scope = graph_scope(graph, 0, some);
  const Subject subject(device, {});
  const Activity before = replayed_activity(device, {}, graph, scope, graph.times);
  CHECK(before.other_work == 4'000);
  CHECK(before.other_work == activity_of(subject, some).other_work);
  CHECK(before.idle() == 2'000);

  Times moved = graph.times;
  moved.tasks.edit()[scope.tasks.back()].start -= 1'000;
  moved.tasks.edit()[scope.tasks.back()].end -= 1'000;
  const Activity sooner = replayed_activity(device, {}, graph, scope, moved);
  CHECK(sooner.other_work == 4'000);
  CHECK(sooner.idle() == 1'000);
}

}  // namespace
}  // namespace lapscope::analyzer
