#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::MemcpyRow;
using schema::MemsetRow;
using test::cupti_time;
using test::MemcpyPeerRecord;
using test::MemcpyRecord;
using test::MemsetRecord;
using test::SyntheticTrace;

template <class Record>
Record copy_record(CUpti_ActivityKind kind) {
  auto record = test::make_record<Record>(kind);
  record.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
  record.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
  record.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  record.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
  record.bytes = 6'000'000'000;
  record.start = cupti_time(100);
  record.end = cupti_time(250);
  record.deviceId = 1;
  record.contextId = 2;
  record.streamId = 13;
  record.correlationId = 77;
  record.channelID = 12;
  record.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
  return record;
}

void check_common(const MemcpyRow& row) {
  CHECK(row.start == 100);
  CHECK(row.end == 250);
  CHECK(row.deviceId == 1);
  CHECK(row.contextId == 2);
  CHECK(row.streamId == 13);
  CHECK(row.correlationId == 77);
  CHECK(row.globalPid == schema::global_pid(test::pid));
  CHECK(row.bytes == 6'000'000'000);
  CHECK(row.flags == 1);
  CHECK(row.channelId == 12);
  CHECK(row.channelType == 2);
}

TEST_CASE("a copy is a row with its direction and memories recoded", "[decode]") {
  SyntheticTrace trace;
  trace.decode(copy_record<MemcpyRecord>(CUPTI_ACTIVITY_KIND_MEMCPY));
  const auto row = trace.row<MemcpyRow>();
  check_common(row);
  CHECK(row.copyKind == 1);
  CHECK(row.srcKind == 0);
  CHECK(row.dstKind == 2);
  CHECK_FALSE(row.graphId.has_value());
  CHECK_FALSE(row.graphNodeId.has_value());
  CHECK_FALSE(row.copyCount.has_value());
  CHECK_FALSE(row.srcDeviceId.has_value());
  CHECK_FALSE(row.dstContextId.has_value());
}

TEST_CASE("a copy of a graph says which node it was", "[decode]") {
  SyntheticTrace trace;
  auto record = copy_record<MemcpyRecord>(CUPTI_ACTIVITY_KIND_MEMCPY);
  record.graphId = 5;
  record.graphNodeId = 0x1'0000'0006;
  trace.decode(record);
  CHECK(trace.row<MemcpyRow>().graphId == 5);
  CHECK(trace.row<MemcpyRow>().graphNodeId == 0x1'0000'0006);
}

TEST_CASE("only a batch of copies has a count", "[decode]") {
  SyntheticTrace trace;
  auto single = copy_record<MemcpyRecord>(CUPTI_ACTIVITY_KIND_MEMCPY);
  single.copyCount = 1;
  auto batch = single;
  batch.copyCount = 16;
  trace.decode(single, batch);
  CHECK_FALSE(trace.rows<MemcpyRow>().at(0).copyCount.has_value());
  CHECK(trace.rows<MemcpyRow>().at(1).copyCount == 16);
}

TEST_CASE("a copy between devices is in the same table with both its ends", "[decode]") {
  SyntheticTrace trace;
  auto record = copy_record<MemcpyPeerRecord>(CUPTI_ACTIVITY_KIND_MEMCPY2);
  record.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  record.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  record.srcDeviceId = 1;
  record.srcContextId = 2;
  record.dstDeviceId = 3;
  record.dstContextId = 4;
  record.graphId = 5;
  record.graphNodeId = 6;
  trace.decode(record);
  const auto row = trace.row<MemcpyRow>();
  check_common(row);
  CHECK(row.copyKind == 10);
  CHECK(row.srcKind == 2);
  CHECK(row.srcDeviceId == 1);
  CHECK(row.srcContextId == 2);
  CHECK(row.dstDeviceId == 3);
  CHECK(row.dstContextId == 4);
  CHECK(row.graphId == 5);
  CHECK(row.graphNodeId == 6);
}

TEST_CASE("copies with impossible times are kept and counted for their kind", "[decode]") {
  SyntheticTrace trace;
  auto copy = copy_record<MemcpyRecord>(CUPTI_ACTIVITY_KIND_MEMCPY);
  copy.start = 0;
  auto peer = copy_record<MemcpyPeerRecord>(CUPTI_ACTIVITY_KIND_MEMCPY2);
  peer.end = cupti_time(99);
  trace.decode(copy, peer, peer);
  CHECK(trace.rows<MemcpyRow>().size() == 3);
  CHECK(trace.rows<MemcpyRow>().at(0).start == -1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMCPY).invalidTimestamps == 1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMCPY2).invalidTimestamps == 2);
}

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
  SyntheticTrace trace;
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
  SyntheticTrace trace;
  MemsetRecord record = memset_record();
  record.graphId = 5;
  record.graphNodeId = 6;
  trace.decode(record);
  CHECK(trace.row<MemsetRow>().graphId == 5);
  CHECK(trace.row<MemsetRow>().graphNodeId == 6);
}

TEST_CASE("a memset with impossible times is kept and counted", "[decode]") {
  SyntheticTrace trace;
  MemsetRecord record = memset_record();
  record.start = record.end = 0;
  trace.decode(record);
  CHECK(trace.row<MemsetRow>().start == -1);
  CHECK(trace.row<MemsetRow>().end == -1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMSET).invalidTimestamps == 1);
}

}  // namespace

}  // namespace lapscope::decode
