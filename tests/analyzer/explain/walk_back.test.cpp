#include "analyzer/explain/walk_back.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

Task op() {
  Task task;
  task.op = 0;
  return task;
}

// A waited for the start of B in a queue that both share, and B for room that A made: by clocks
// that agree to some us, both at 10. Before both, A waited for P.
//
//   stream 1  PPPPPPPPPPAAAAAAAAAA
//   stream 2  ..........BBBBBBBBBBBBBBB
TEST_CASE("two tasks that seem to have waited for each other do not end the path") {
  Graph graph;
  graph.tasks = std::vector<Task>{op(), op(), op()};
  graph.times.tasks = std::vector<Interval>{{0, 10}, {10, 20}, {11, 25}};
  constexpr std::uint32_t p = 0, a = 1, b = 2;
  graph.edges = std::vector<Edge>{{p, Cause::stream_order}, {b, Cause::queue_alias, true}};
  graph.edge_begin = std::vector<std::uint32_t>{0, 0, 2, 2};
  graph.bindings = std::vector<Binding>{
      {}, {Cause::queue_alias, b, 11, 10, -1}, {Cause::sm_saturated, a, 11, never, 0}};
  const Trace trace;
  const HostTimeline host(trace);
  const auto path = critical_path({trace, host, graph}, b, {0, 25});
  REQUIRE(path.size() == 3);
  CHECK(path[0].interval == Interval{0, 10});
  CHECK(path[0].task == p);
  CHECK(path[0].is_work);
  CHECK(path.back().task == b);
  CHECK(path.back().is_work);
}

}  // namespace
}  // namespace lapscope::analyzer
