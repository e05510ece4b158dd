#include <string>

#include "analyzer/findings/find_causes.h"
#include "reports/words/call_sites.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;

// The host waits for GPU 1 before it issues A again. C waits for A by an event. Without the host's
// wait, the second A starts at the end of the first A, and the second C still waits for the second
// A.
constexpr const char* two_gpus = R"(
    thread 1                      arwcsssssss.arwcsssssss
    stream 1                      .AAAA........AAAA......
    stream 12 context 2 device 1  ......CCC.........CCC..
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 12, event 1
    s = cudaStreamSynchronize, stream 12
)";

// Returns the findings of a scope, such as "host-sync at cudaStreamSynchronize".
Lines found(const Program& program, std::uint16_t device, const Scope& scope) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const std::vector<CausesResult> causes =
      find_causes({program.trace, host, graph}, {graph_scope(graph, device, scope)}, {});
  Lines lines;
  for (const FindingResult& one : causes.at(0).findings) {
    lines.push_back(std::string(one.code) + " at " + reports::words_of(one.what));
  }
  return lines;
}

TEST_CASE("a scope's finding may be about a delay of an op on another GPU") {
  const Program program(two_gpus);
  const Lines expected{"host-sync at cudaStreamSynchronize"};
  for (std::uint16_t device = 0; device < 2; ++device) {
    INFO(device);
    CHECK(found(program, device, whole(program.trace.devices[device].ops)) == expected);
  }
}

TEST_CASE("a scope's finding may be about a delay of an op outside the scope") {
  const Program program(R"(
    thread 1  arwcsssssss.arwcsssssss
    stream 1  .AAAA........AAAA......
    stream 2  ......CCC.........CCC..
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    s = cudaStreamSynchronize, stream 2
  )");
  const Ops& ops = program.trace.devices[0].ops;
  const Lines expected{"host-sync at cudaStreamSynchronize"};
  CHECK(found(program, 0, *of_ops(ops, {0, 2})) == expected);  // both A
  CHECK(found(program, 0, *of_ops(ops, {1, 3})) == expected);  // both C
}

}  // namespace
}  // namespace lapscope::analyzer
