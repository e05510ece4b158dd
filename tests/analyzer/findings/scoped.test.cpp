#include "analyzer/findings/scoped.h"

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
  const Scoped first = scoped(graph, 0, whole(program.trace.devices[0].ops));
  REQUIRE(first.tasks.size() == 2);
  const Replayed times = replay(graph);
  REQUIRE(wall_of(first, times) == 8 * program.unit);
  REQUIRE(sum_of(first, times) == 6 * program.unit);
  REQUIRE(window_of(first, times) == Interval{program.unit, 9 * program.unit});
  const Scoped second = scoped(graph, 1, whole(program.trace.devices[1].ops));
  REQUIRE(wall_of(second, times) == 6 * program.unit);
}

TEST_CASE("a scope that the graph does not hold takes no time") {
  const Program program(R"(
    thread 1  ab...
    stream 1  .AABB
  )");
  const Graph graph = build_graph(program.trace, {0, 1});
  const auto later = within(program.trace.devices[0].ops, {4 * program.unit, 5 * program.unit});
  const Scoped scope = scoped(graph, 0, *later);
  REQUIRE(scope.tasks.empty());
  REQUIRE(wall_of(scope, replay(graph)) == 0);
}

}  // namespace
}  // namespace lapscope::analyzer
