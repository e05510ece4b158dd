#include "analyzer/findings/prompt_run.h"

#include "analyzer/findings/graph_scope.h"
#include "analyzer/findings/predict.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::length_of;
using test::Program;

// Returns the prediction without any host work, even work that the host does only once.
Prediction without_host_work(const Program& program) {
  const Graph graph = test::graph_of(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  const HostTimeline host(program.trace);
  FixRequest request{fix_for(Cause::host_compute)};
  request.value = 1;
  const Predictor predictor({program.trace, host, graph});
  return predict(graph, scope, *predictor.run(request));
}

// B and D start 8 and 10 characters after their calls, much later than a latency explains. These
// delays cost nothing here, because the host works for 8 between launches.
constexpr const char* late_ops = R"(
    thread 1  a........b........c........d........e......
    stream 1  .AA...............BB.CC...............DD.EE
)";

TEST_CASE("a prediction has two ends if a fix lets late ops start sooner") {
  const Program program(late_ops);
  const Prediction predicted = without_host_work(program);
  CHECK(length_of(program, predicted.wall_ns - predicted.least_wall_ns) == "14");
  CHECK(predicted.doubt == Doubt::unexplained);
}

TEST_CASE("a prediction has one end where all delays are latencies") {
  const Prediction predicted = without_host_work(Program(R"(
    thread 1  a........b........c........d........e......
    stream 1  .AA.......BB.......CC.......DD.......EE....
  )"));
  CHECK(predicted.least_wall_ns == predicted.wall_ns);
}

// Without a change, no op starts sooner, so there is no second prediction.
TEST_CASE("ops that a fix does not let start sooner keep their delays") {
  const Program program(late_ops);
  const Graph graph = test::graph_of(program.trace);
  CHECK_FALSE(Promptly(graph).run(graph, replay(graph)));
}

}  // namespace
}  // namespace lapscope::analyzer
