#include "analyzer/findings/looked_for.h"

#include <algorithm>

#include "analyzer/findings/find_causes.h"
#include "analyzer/model/evidence.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

// Without records of driver calls, waits and module loading, some causes cannot be found.
namespace lapscope::analyzer {
namespace {

using test::Program;

CausesResult with_few_records(std::string_view drawing) {
  Program program(drawing);
  program.trace.facts.recorded = {"CONCURRENT_KERNEL", "MEMCPY", "MEMSET", "RUNTIME"};
  // The calls show which kinds of records the program cannot have caused. The test removes this
  // knowledge for two kinds.
  program.trace.facts.without_cause = kinds_without_cause(program.trace);
  std::erase(program.trace.facts.without_cause, "CUDA_EVENT");
  std::erase(program.trace.facts.without_cause, "SYNCHRONIZATION");
  const Graph graph = test::graph_of(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  const HostTimeline host(program.trace);
  return find_causes({program.trace, host, graph}, {scope}, {}).at(0);
}

bool is_open(const CausesResult& result, std::string_view code) {
  return std::any_of(result.looked_for.begin(), result.looked_for.end(),
                     [code](const LookedFor& one) { return one.code == code && one.leaves_open; });
}

// With only one stream, every delay is visible as idle time, whatever its cause is.
TEST_CASE("for one stream that is almost always busy, no cause is open") {
  const CausesResult result = with_few_records(R"(
    thread 1  abc.............................
    stream 1  .AAAAAAAAAABBBBBBBBBBCCCCCCCCCCC
  )");
  CHECK(result.has_evidence());
  CHECK(result.is_conclusive());
}

TEST_CASE("for one stream with gaps, the possible causes of the gaps are open") {
  const CausesResult result = with_few_records(R"(
    thread 1  a.............b..........c.....
    stream 1  .AAAAAAAAAA....BBBBBBBBBB.CCCCC
  )");
  CHECK_FALSE(result.has_evidence());
  CHECK(is_open(result, "host-sync"));
}

TEST_CASE("for two streams, it is open whether they could have overlapped") {
  const CausesResult result = with_few_records(R"(
    thread 1  abc.............................
    stream 1  .AAAAAAAAAA..........CCCCCCCCCCC
    stream 2  ...........BBBBBBBBBB...........
  )");
  CHECK_FALSE(result.has_evidence());
  CHECK(is_open(result, "event-wait"));
}

// Copies may be too small even if there is no gap.
TEST_CASE("small copies are an open cause even without gaps") {
  const CausesResult result = with_few_records(R"(
    thread 1  abc.............................
    stream 1  .AAAAAAAAAABBBBBBBBBBCCCCCCCCCCC
    ABC = h2d, bytes 4096
  )");
  CHECK(is_open(result, "small-copies"));
  CHECK_FALSE(is_open(result, "host-sync"));
}

}  // namespace
}  // namespace lapscope::analyzer
