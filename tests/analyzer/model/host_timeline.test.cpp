#include "analyzer/model/host_timeline.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("a thread that launches is in launch overhead, whether a kernel or a graph") {
  REQUIRE(cause_of(CallKind::launch) == GapCause::launch_overhead);
  REQUIRE(cause_of(CallKind::graph_launch) == GapCause::launch_overhead);
}

TEST_CASE("a thread that records or queries an event waits for nothing") {
  REQUIRE(cause_of(CallKind::record_event) == GapCause::host_call);
  REQUIRE(cause_of(CallKind::query) == GapCause::host_call);
  REQUIRE(cause_of(CallKind::wait_event) == GapCause::host_call);
  REQUIRE(cause_of(CallKind::synchronize) == GapCause::host_sync);
}

}  // namespace
}  // namespace lapscope::analyzer
