#include "analyzer/analysis/replayed_activity.h"

#include "analyzer/findings/find_causes.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Program;

// The copy takes as long beside the kernel as after it, and the window is what is left.
//
//   recorded  AAAA..BBB     replayed  AAAA
//                                     .BBB
TEST_CASE("a scope is measured where a replay has its ops, on the engines of the graph") {
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
  const Activity before = replayed_activity(device, {}, graph, scope, recorded_times(graph));
  CHECK(before.window == Interval{1'000, 10'000});
  CHECK(before.sum == 7'000);
  CHECK(before.time_with_both(classes::h2d, classes::compute) == 0);

  Replayed moved = recorded_times(graph);
  for (const std::uint32_t t : scope.tasks) {
    if (graph.tasks[t].engine != Engine::compute) continue;
    moved.start[t] -= 5'000;
    moved.end[t] -= 5'000;
  }
  const Activity beside = replayed_activity(device, {}, graph, scope, moved);
  CHECK(beside.window == Interval{1'000, 5'000});
  CHECK(beside.time_with_both(classes::h2d, classes::compute) == 3'000);

  for (Task& task : graph.tasks) task.engine = Engine::d2h;
  const Activity other = replayed_activity(device, {}, graph, scope, moved);
  CHECK(other.sum_of(Engine::d2h) == 7'000);
  CHECK(other.sum_of(Engine::h2d) == 0);
}

// Of B alone, what A takes is other work, wherever a replay has the two.
//
//   recorded  B.AAAA.B     replayed  B.AAAAB
TEST_CASE("what the device does besides is other work in a replay, too") {
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
  const Activity before = replayed_activity(device, {}, graph, scope, recorded_times(graph));
  CHECK(before.other_work == 4'000);
  CHECK(before.other_work == activity_of(subject, some).other_work);
  CHECK(before.idle() == 2'000);

  Replayed moved = recorded_times(graph);
  moved.start[scope.tasks.back()] -= 1'000;
  moved.end[scope.tasks.back()] -= 1'000;
  const Activity sooner = replayed_activity(device, {}, graph, scope, moved);
  CHECK(sooner.other_work == 4'000);
  CHECK(sooner.idle() == 1'000);
}

}  // namespace
}  // namespace lapscope::analyzer
