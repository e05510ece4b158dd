#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::CudaEventRow;
using test::CudaEventRecord;
using test::cupti_time;
using test::SyntheticTrace;

CudaEventRecord event_record() {
  auto record = test::make_record<CudaEventRecord>(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
  record.correlationId = 99;
  record.contextId = 2;
  record.streamId = 13;
  record.eventId = 21;
  record.deviceId = 5;
  record.cudaEventSyncId = 0x1'0000'0002;
  return record;
}

TEST_CASE("an event with a device timestamp has the instant of its completion", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  CudaEventRecord record = event_record();
  record.deviceTimestamp = cupti_time(1234);
  trace.decode(record);
  const auto row = trace.row<CudaEventRow>();
  CHECK(row.timestamp == 1234);
  CHECK(row.deviceId == 5);
  CHECK(row.contextId == 2);
  CHECK(row.streamId == 13);
  CHECK(row.correlationId == 99);
  CHECK(row.globalPid == schema::global_pid(test::pid));
  CHECK(row.eventId == 21);
  CHECK(row.eventSyncId == 0x1'0000'0002);
}

TEST_CASE("an event without a device timestamp has none and nothing was lost", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  trace.decode(event_record());
  CHECK_FALSE(trace.row<CudaEventRow>().timestamp.has_value());
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_CUDA_EVENT).invalidTimestamps == 0);
}

TEST_CASE("an event captured into a graph has sync id 0", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  CudaEventRecord record = event_record();
  record.cudaEventSyncId = 0;
  trace.decode(record);
  CHECK(trace.row<CudaEventRow>().eventSyncId == 0);
}

TEST_CASE("a short event record has the device of its context and no sync id", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  trace::TraceWriter writer(schema::Database::in_memory());
  DecodeContext context(writer, *cupti, test::pid, test::session_start, {});
  context.device_of_context[2] = 6;
  const CudaEventRecord record = event_record();
  constexpr std::size_t size_before_cuda_12_8 = 24;
  decode_cuda_event(&record, size_before_cuda_12_8, context);
  writer.commit();
  const auto row = test::all_rows<CudaEventRow>(writer.database()).at(0);
  CHECK(row.deviceId == 6);
  CHECK(row.eventId == 21);
  CHECK_FALSE(row.eventSyncId.has_value());
}

}  // namespace
}  // namespace lapscope::decode
