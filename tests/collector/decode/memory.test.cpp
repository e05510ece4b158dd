#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::MemoryRow;
using test::cupti_time;
using test::MemoryRecord;
using test::SyntheticTrace;

MemoryRecord memory_record() {
  auto record = test::make_record<MemoryRecord>(CUPTI_ACTIVITY_KIND_MEMORY2);
  record.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
  record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  record.correlationId = 99;
  record.address = 0x7F00'0000'1000;
  record.bytes = 6'000'000'000;
  record.timestamp = cupti_time(300);
  record.PC = 0x4000'1234;
  record.processId = test::pid;
  record.deviceId = 1;
  record.contextId = 2;
  record.streamId = CUPTI_INVALID_STREAM_ID;
  return record;
}

TEST_CASE("an allocation is a row with its memory and operation recoded", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  trace.decode(memory_record());
  const auto row = trace.row<MemoryRow>();
  CHECK(row.start == 300);
  CHECK(row.globalPid == schema::global_pid(test::pid));
  CHECK(row.deviceId == 1);
  CHECK(row.contextId == 2);
  CHECK(row.address == 0x7F00'0000'1000);
  CHECK(row.pc == 0x4000'1234);
  CHECK(row.bytes == 6'000'000'000);
  CHECK(row.memKind == 2);
  CHECK(row.memoryOperationType == 0);
  CHECK(row.correlationId == 99);
  CHECK_FALSE(row.name.has_value());
  CHECK_FALSE(row.streamId.has_value());
  CHECK_FALSE(row.isAsync.has_value());
  CHECK_FALSE(row.localMemoryPoolAddress.has_value());
  CHECK_FALSE(row.importedMemoryPoolAddress.has_value());
}

TEST_CASE("an asynchronous release names its stream and its pool", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  MemoryRecord record = memory_record();
  record.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
  record.isAsync = 1;
  record.streamId = 13;
  record.memoryPoolConfig.memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL;
  record.memoryPoolConfig.address = 0x1000;
  record.memoryPoolConfig.releaseThreshold = 0x2000;
  record.memoryPoolConfig.pool.size = 0x3000;
  record.memoryPoolConfig.utilizedSize = 0x4000;
  trace.decode(record);
  const auto row = trace.row<MemoryRow>();
  CHECK(row.memoryOperationType == 1);
  CHECK(row.isAsync == 1);
  CHECK(row.streamId == 13);
  CHECK(row.localMemoryPoolAddress == 0x1000);
  CHECK(row.localMemoryPoolReleaseThreshold == 0x2000);
  CHECK(row.localMemoryPoolSize == 0x3000);
  CHECK(row.localMemoryPoolUtilizedSize == 0x4000);
  CHECK_FALSE(row.importedMemoryPoolAddress.has_value());
  CHECK_FALSE(row.importedMemoryPoolProcessId.has_value());
}

TEST_CASE("a pool of another process names that process", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  MemoryRecord record = memory_record();
  record.memoryPoolConfig.memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_IMPORTED;
  record.memoryPoolConfig.address = 0x1000;
  record.memoryPoolConfig.pool.processId = 815;
  trace.decode(record);
  const auto row = trace.row<MemoryRow>();
  CHECK(row.importedMemoryPoolAddress == 0x1000);
  CHECK(row.importedMemoryPoolProcessId == 815);
  CHECK_FALSE(row.localMemoryPoolAddress.has_value());
  CHECK_FALSE(row.localMemoryPoolSize.has_value());
}

TEST_CASE("a static variable keeps its name", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  MemoryRecord record = memory_record();
  record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC;
  record.name = "lookup_table";
  trace.decode(record);
  CHECK(trace.row<MemoryRow>().name == "lookup_table");
  CHECK(trace.row<MemoryRow>().memKind == 5);
}

TEST_CASE("an allocation whose instant was lost is kept and counted", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  MemoryRecord record = memory_record();
  record.timestamp = 0;
  trace.decode(record);
  CHECK(trace.row<MemoryRow>().start == -1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMORY2).invalidTimestamps == 1);
}

}  // namespace
}  // namespace lapscope::decode
