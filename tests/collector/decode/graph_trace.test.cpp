#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using test::GraphTraceRecord;
using test::SyntheticTrace;

TEST_CASE("a graph that is recorded as a whole is one row", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  auto record = test::make_record<GraphTraceRecord>(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  record.correlationId = 99;
  record.start = test::cupti_time(10);
  record.end = test::cupti_time(25);
  record.deviceId = 5;
  record.graphId = 3;
  record.contextId = 1;
  record.streamId = 13;
  trace.decode(record);
  const auto row = trace.row<schema::GraphTraceRow>();
  CHECK(row.start == 10);
  CHECK(row.end == 25);
  CHECK(row.deviceId == 5);
  CHECK(row.contextId == 1);
  CHECK(row.streamId == 13);
  CHECK(row.correlationId == 99);
  CHECK(row.globalPid == schema::global_pid(test::pid));
  CHECK(row.graphId == 3);
  CHECK(row.graphExecId == 3);
}

TEST_CASE("a kind that must be asked for is counted only when it was", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  const auto count = [&trace] {
    trace.decoder().write_counts();
    return trace.database().query_int64(
        "SELECT count(*) FROM LAPSCOPE_RECORDS WHERE name = 'GRAPH_TRACE'");
  };
  CHECK(count() == 0);
  trace.decoder().set_enable_result(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, CUPTI_SUCCESS);
  CHECK(count() == 1);
}

}  // namespace
}  // namespace lapscope::decode
