#include <search.h>

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::MemoryPoolRow;
using schema::MemoryRow;
using test::cupti_time;
using test::MemoryPoolRecord;
using test::MemoryRecord;
using test::SyntheticTrace;
using test::UnifiedMemoryRecord;

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
  SyntheticTrace trace;
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
  SyntheticTrace trace;
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
  SyntheticTrace trace;
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
  SyntheticTrace trace;
  MemoryRecord record = memory_record();
  record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC;
  record.name = "lookup_table";
  trace.decode(record);
  CHECK(trace.row<MemoryRow>().name == "lookup_table");
  CHECK(trace.row<MemoryRow>().memKind == 5);
}

TEST_CASE("an allocation whose instant was lost is kept and counted", "[decode]") {
  SyntheticTrace trace;
  MemoryRecord record = memory_record();
  record.timestamp = 0;
  trace.decode(record);
  CHECK(trace.row<MemoryRow>().start == -1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMORY2).invalidTimestamps == 1);
}

MemoryPoolRecord pool_record(CUpti_ActivityMemoryPoolOperationType operation,
                             CUpti_ActivityMemoryPoolType type) {
  auto record = test::make_record<MemoryPoolRecord>(CUPTI_ACTIVITY_KIND_MEMORY_POOL);
  record.memoryPoolOperationType = operation;
  record.memoryPoolType = type;
  record.correlationId = 99;
  record.deviceId = 5;
  record.minBytesToKeep = 4096;
  record.address = 0x7f0000000010;
  record.size = 64 << 20;
  record.releaseThreshold = 32 << 20;
  record.utilizedSize = 1 << 20;
  record.timestamp = test::cupti_time(70);
  return record;
}

TEST_CASE("the trimming of a pool is a row with what was to be kept", "[decode]") {
  SyntheticTrace trace;
  trace.decode(pool_record(CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED,
                           CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL));
  const auto row = trace.row<MemoryPoolRow>();
  CHECK(row.start == 70);
  CHECK(row.globalPid == schema::global_pid(test::pid));
  CHECK(row.deviceId == 5);
  CHECK(row.address == 0x7f0000000010);
  CHECK(row.operationType == 3);
  CHECK(row.poolType == 1);
  CHECK(row.correlationId == 99);
  CHECK(row.minBytesToKeep == 4096);
  CHECK(row.localMemoryPoolReleaseThreshold == 32 << 20);
  CHECK(row.localMemoryPoolSize == 64 << 20);
  CHECK(row.localMemoryPoolUtilizedSize == 1 << 20);
}

TEST_CASE("a pool of another process has no sizes", "[decode]") {
  SyntheticTrace trace;
  trace.decode(pool_record(CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED,
                           CUPTI_ACTIVITY_MEMORY_POOL_TYPE_IMPORTED));
  const auto row = trace.row<MemoryPoolRow>();
  CHECK(row.poolType == 2);
  CHECK_FALSE(row.minBytesToKeep.has_value());
  CHECK_FALSE(row.localMemoryPoolSize.has_value());
  CHECK_FALSE(row.localMemoryPoolReleaseThreshold.has_value());
  CHECK_FALSE(row.localMemoryPoolUtilizedSize.has_value());
}

TEST_CASE("a pool's lost instant is kept and counted", "[decode]") {
  SyntheticTrace trace;
  auto record = pool_record(CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED,
                            CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL);
  record.timestamp = 0;
  trace.decode(record);
  CHECK(trace.row<MemoryPoolRow>().start == -1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMORY_POOL).invalidTimestamps == 1);
}

UnifiedMemoryRecord counter(CUpti_ActivityUnifiedMemoryCounterKind kind) {
  auto record = test::make_record<UnifiedMemoryRecord>(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  record.counterKind = kind;
  record.value = 65536;
  record.start = test::cupti_time(10);
  record.end = test::cupti_time(25);
  record.address = 0x7f0000010000;
  record.srcId = 3;
  record.dstId = 5;
  record.flags = 2;
  return record;
}

TEST_CASE("migrations are copies of their own sort that no call issued", "[decode]") {
  SyntheticTrace trace;
  trace.decode(counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD),
               counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH),
               counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD));
  const auto rows = trace.rows<schema::MemcpyRow>();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].copyKind == 11);
  CHECK(rows[0].deviceId == 5);
  CHECK(rows[1].copyKind == 12);
  CHECK(rows[1].deviceId == 3);
  CHECK(rows[2].copyKind == 13);
  for (const auto& row : rows) {
    CHECK(row.start == 10);
    CHECK(row.end == 25);
    CHECK(row.bytes == 65536);
    CHECK(row.virtualAddress == 0x7f0000010000);
    CHECK(row.migrationCause == 2);
    CHECK(row.srcKind == 4);
    CHECK(row.dstKind == 4);
    CHECK_FALSE(row.correlationId.has_value());
  }
}

TEST_CASE("a page fault of a device tells how the page was touched", "[decode]") {
  SyntheticTrace trace;
  auto record = counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT);
  record.value = 4;
  trace.decode(record);
  const auto row = trace.row<schema::GpuPageFaultRow>();
  CHECK(row.start == 10);
  CHECK(row.end == 25);
  CHECK(row.deviceId == 3);
  CHECK(row.address == 0x7f0000010000);
  CHECK(row.numberOfPageFaults == 4);
  CHECK(row.faultAccessType == 2);
}

TEST_CASE("a page fault of the host tells which code touched the page", "[decode]") {
  SyntheticTrace trace;
  auto record = counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT);
  record.value = reinterpret_cast<std::uint64_t>(&::lfind);
  record.end = 0;  // this record has no end
  trace.decode(record);
  const auto row = trace.row<schema::CpuPageFaultRow>();
  CHECK(row.start == 10);
  CHECK(row.address == 0x7f0000010000);
  CHECK(trace.text(row.module) == "lfind");
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER).invalidTimestamps == 0);
}

TEST_CASE("a counter that was not asked for leaves no row", "[decode]") {
  SyntheticTrace trace;
  trace.decode(counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING));
  CHECK_FALSE(trace.database().has_table("CUPTI_ACTIVITY_KIND_MEMCPY"));
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER).received == 1);
}

}  // namespace

}  // namespace lapscope::decode
