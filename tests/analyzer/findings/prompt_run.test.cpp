#include "analyzer/findings/prompt_run.h"

#include "analyzer/findings/graph_scope.h"
#include "analyzer/findings/predict.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::length_of;
using test::Program;

// Returns the prediction for a fix of all host work, including work that does not recur.
Prediction without_host_work(const Program& program) {
  const Graph graph = test::graph_of(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  const HostTimeline host(program.trace);
  FixRequest request{fix_for(Cause::host_compute)};
  request.value = 1;
  const Predictor predictor({program.trace, host, graph});
  return predict(graph, scope, *predictor.run(request));
}

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

TEST_CASE("if no op starts sooner than in the recording, a prediction has one end") {
  const Program program(late_ops);
  const Graph graph = test::graph_of(program.trace);
  CHECK_FALSE(Promptly(graph).run(graph, replay(graph)));
}

}  // namespace
}  // namespace lapscope::analyzer
