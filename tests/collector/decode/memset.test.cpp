#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::MemsetRow;
using test::cupti_time;
using test::MemsetRecord;
using test::SyntheticTrace;

MemsetRecord memset_record() {
  auto record = test::make_record<MemsetRecord>(CUPTI_ACTIVITY_KIND_MEMSET);
  record.value = 0xFFFFFFFF;
  record.bytes = 6'000'000'000;
  record.start = cupti_time(100);
  record.end = cupti_time(250);
  record.deviceId = 1;
  record.contextId = 2;
  record.streamId = 13;
  record.correlationId = 77;
  record.flags = CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC;
  record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
  record.channelID = 6;
  record.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
  return record;
}

TEST_CASE("a memset is a row with its memory recoded", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  trace.decode(memset_record());
  const auto row = trace.row<MemsetRow>();
  CHECK(row.value == 0xFFFFFFFF);
  CHECK(row.bytes == 6'000'000'000);
  CHECK(row.start == 100);
  CHECK(row.end == 250);
  CHECK(row.deviceId == 1);
  CHECK(row.contextId == 2);
  CHECK(row.streamId == 13);
  CHECK(row.correlationId == 77);
  CHECK(row.globalPid == schema::global_pid(test::pid));
  CHECK(row.flags == 1);
  CHECK(row.memKind == 4);
  CHECK(row.channelId == 6);
  CHECK(row.channelType == 1);
  CHECK_FALSE(row.graphId.has_value());
  CHECK_FALSE(row.graphNodeId.has_value());
}

TEST_CASE("a memset of a graph says which node it was", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  MemsetRecord record = memset_record();
  record.graphId = 5;
  record.graphNodeId = 6;
  trace.decode(record);
  CHECK(trace.row<MemsetRow>().graphId == 5);
  CHECK(trace.row<MemsetRow>().graphNodeId == 6);
}

TEST_CASE("a memset with impossible times is kept and counted", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  MemsetRecord record = memset_record();
  record.start = record.end = 0;
  trace.decode(record);
  CHECK(trace.row<MemsetRow>().start == -1);
  CHECK(trace.row<MemsetRow>().end == -1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMSET).invalidTimestamps == 1);
}

}  // namespace
}  // namespace lapscope::decode
