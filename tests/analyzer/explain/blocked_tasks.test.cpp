#include "analyzer/explain/blocked_tasks.h"

#include "analyzer/findings/graph_scope.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

// Returns the time for which a cause delayed ops of device 0.
std::int64_t time_blocked_by(const Program& program, Cause cause) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const Sources sources{program.trace, host, graph};
  const Recurring recurring(program.trace, graph);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  const BlockedTasks blocked =
      BlockingTimes(sources, recurring).blocked_by(cause, scope.tasks, scope.window);
  return blocked.time() / program.unit;
}

// Both waits, m and q, delay B. But m ends before the window, which begins when A starts. So only
// the 9 characters of q count.
TEST_CASE("what the host did before the window delayed nothing in the window") {
  REQUIRE(time_blocked_by(Program(R"(
    thread 1  mmmmmmmma.qqqqqqqqqb..
    stream 1  .........AAAA.........
    stream 2  ....................BB
    m = cudaDeviceSynchronize
    q = cudaDeviceSynchronize
  )"),
                          Cause::host_sync) == 9);
}

}  // namespace
}  // namespace lapscope::analyzer
