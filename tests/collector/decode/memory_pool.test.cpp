#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::MemoryPoolRow;
using test::MemoryPoolRecord;
using test::SyntheticTrace;

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
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
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
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
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
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  auto record = pool_record(CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED,
                            CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL);
  record.timestamp = 0;
  trace.decode(record);
  CHECK(trace.row<MemoryPoolRow>().start == -1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMORY_POOL).invalidTimestamps == 1);
}

}  // namespace
}  // namespace lapscope::decode
