#include <cstring>

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::KernelRow;
using schema::MemcpyRow;
using schema::MemsetRow;
using test::cupti_time;
using test::GraphTraceRecord;
using test::KernelRecord;
using test::MemcpyPeerRecord;
using test::MemcpyRecord;
using test::MemsetRecord;
using test::SyntheticTrace;

KernelRecord full_kernel_record() {
  auto record = test::make_record<KernelRecord>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  record.start = cupti_time(1000);
  record.end = cupti_time(3000);
  record.completed = cupti_time(4000);
  record.name = "_ZN2ns4scanIiEEvPiS1_i";
  record.deviceId = 1;
  record.contextId = 2;
  record.streamId = 13;
  record.correlationId = 4'000'000'000;
  return record;
}

TEST_CASE("a kernel is a row with all that CUPTI tells of it", "[decode]") {
  SyntheticTrace trace;
  KernelRecord record = full_kernel_record();
  record.launchType = CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE;
  record.cacheConfig.config.requested = 1;
  record.cacheConfig.config.executed = 2;
  record.registersPerThread = 40;
  record.gridX = 100;
  record.gridY = 101;
  record.gridZ = 102;
  record.blockX = 128;
  record.blockY = 2;
  record.blockZ = 3;
  record.staticSharedMemory = 1024;
  record.dynamicSharedMemory = 2048;
  record.localMemoryPerThread = 16;
  record.localMemoryTotal = 77;
  record.localMemoryTotal_v2 = 5'000'000'000;
  record.gridId = 99;
  record.sharedMemoryExecuted = 32768;
  record.shmemLimitConfig = CUPTI_FUNC_SHMEM_LIMIT_OPTIN;
  record.channelID = 6;
  record.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
  trace.decode(record);

  const auto row = trace.row<KernelRow>();
  CHECK(row.start == 1000);
  CHECK(row.end == 3000);  // not `completed`, which includes kernels that the device launched
  CHECK(row.deviceId == 1);
  CHECK(row.contextId == 2);
  CHECK(row.streamId == 13);
  CHECK(row.correlationId == 4'000'000'000);
  CHECK(row.globalPid == schema::global_pid(test::pid));
  CHECK(trace.text(row.mangledName) == "_ZN2ns4scanIiEEvPiS1_i");
  CHECK(trace.text(row.demangledName) == "void ns::scan<int>(int*, int*, int)");
  CHECK(trace.text(row.shortName) == "scan");
  CHECK(row.launchType == 2);
  CHECK(row.cacheConfig == 2);
  CHECK(row.registersPerThread == 40);
  CHECK(row.gridX == 100);
  CHECK(row.gridY == 101);
  CHECK(row.gridZ == 102);
  CHECK(row.blockX == 128);
  CHECK(row.blockY == 2);
  CHECK(row.blockZ == 3);
  CHECK(row.staticSharedMemory == 1024);
  CHECK(row.dynamicSharedMemory == 2048);
  CHECK(row.localMemoryPerThread == 16);
  CHECK(row.localMemoryTotal == 5'000'000'000);  // the 32-bit member would overflow
  CHECK(row.gridId == 99);
  CHECK(row.sharedMemoryExecuted == 32768);
  CHECK(row.sharedMemoryLimitConfig == 1);
  CHECK(row.channelId == 6);
  CHECK(row.channelType == 1);
}

TEST_CASE("what does not apply to a kernel is NULL", "[decode]") {
  SyntheticTrace trace;
  KernelRecord record = full_kernel_record();
  record.sharedMemoryCarveoutRequested = 50;  // the flag says that it was not requested
  trace.decode(record);
  const auto row = trace.row<KernelRow>();
  CHECK_FALSE(row.graphId.has_value());
  CHECK_FALSE(row.graphNodeId.has_value());
  CHECK_FALSE(row.clusterX.has_value());
  CHECK_FALSE(row.clusterSchedulingPolicy.has_value());
  CHECK_FALSE(row.maxActiveClusters.has_value());
  CHECK_FALSE(row.sharedMemoryRequestedPercentage.has_value());
  CHECK_FALSE(row.queued.has_value());
  CHECK_FALSE(row.submitted.has_value());
  CHECK_FALSE(row.deviceLaunched.has_value());
  CHECK_FALSE(row.greenContextId.has_value());
}

TEST_CASE("clusters and graphs and latencies are kept where there are any", "[decode]") {
  SyntheticTrace trace;
  KernelRecord record = full_kernel_record();
  record.graphId = 3;
  record.graphNodeId = 0x1'0000'0007;
  record.clusterX = 2;
  record.clusterY = 3;
  record.clusterZ = 4;
  record.clusterSchedulingPolicy = 1;
  record.maxPotentialClusterSize = 8;
  record.maxActiveClusters = 9;
  record.isSharedMemoryCarveoutRequested = 1;
  record.sharedMemoryCarveoutRequested = 50;
  record.queued = cupti_time(500);
  record.submitted = cupti_time(700);
  trace.decode(record);
  const auto row = trace.row<KernelRow>();
  CHECK(row.graphId == 3);
  CHECK(row.graphNodeId == 0x1'0000'0007);
  CHECK(row.clusterX == 2);
  CHECK(row.clusterY == 3);
  CHECK(row.clusterZ == 4);
  CHECK(row.clusterSchedulingPolicy == 1);
  CHECK(row.maxPotentialClusterSize == 8);
  CHECK(row.maxActiveClusters == 9);
  CHECK(row.sharedMemoryRequestedPercentage == 50);
  CHECK(row.queued == 500);
  CHECK(row.submitted == 700);
}

#if CUPTI_API_VERSION >= 130000
TEST_CASE("a kernel launched from the device says so", "[decode]") {
  SyntheticTrace trace;
  KernelRecord record = full_kernel_record();
  record.isDeviceLaunched = 1;
  trace.decode(record);
  CHECK(trace.row<KernelRow>().deviceLaunched == 1);
}
#endif

TEST_CASE("kernels with impossible times are kept and counted", "[decode]") {
  SyntheticTrace trace;
  KernelRecord good = full_kernel_record();
  KernelRecord lost = full_kernel_record();
  lost.start = lost.end = 0;
  KernelRecord unended = full_kernel_record();
  unended.end = 0;
  KernelRecord reversed = full_kernel_record();
  reversed.end = cupti_time(999);
  KernelRecord empty = full_kernel_record();  // valid: shorter than a tick of the clock
  empty.end = empty.start;
  KernelRecord early = full_kernel_record();  // valid: before the session
  early.start = cupti_time(-50);
  trace.decode(good, lost, unended, reversed, empty, early);
  const auto rows = trace.rows<KernelRow>();
  REQUIRE(rows.size() == 6);
  CHECK(rows[1].start == -1);
  CHECK(rows[1].end == -1);
  CHECK(rows[2].start == 1000);
  CHECK(rows[2].end == -1);
  CHECK(rows[3].start == 1000);
  CHECK(rows[3].end == 999);
  CHECK(rows[5].start == -50);
  const auto counts = trace.counts(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  CHECK(counts.received == 6);
  CHECK(counts.invalidTimestamps == 3);
}

// Records of an older libcupti are shorter than KernelRecord.
TEST_CASE("values that a short kernel record lacks are unknown", "[decode]") {
  trace::TraceWriter writer(schema::Database::in_memory());
  DecodeContext context(writer, test::real_cupti(), test::pid, test::session_start, {});
  KernelRecord record = full_kernel_record();
  record.localMemoryTotal = 77;
  record.localMemoryTotal_v2 = 5'000'000'000;
  record.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
  constexpr std::size_t size_in_cuda_11_0 = 160;
  decode_kernel({&record, size_in_cuda_11_0}, context);
  writer.commit();
  const auto row = test::all_rows<KernelRow>(writer.database()).at(0);
  CHECK(row.localMemoryTotal == 77);
  CHECK_FALSE(row.channelId.has_value());
  CHECK_FALSE(row.channelType.has_value());
  CHECK_FALSE(row.clusterX.has_value());
}

TEST_CASE("a graph that is recorded as a whole is one row", "[decode]") {
  SyntheticTrace trace;
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
  SyntheticTrace trace;
  const auto count = [&trace] {
    trace.decoder().write_counts();
    return trace.database().query_int64(
        "SELECT count(*) FROM LAPSCOPE_RECORDS WHERE name = 'GRAPH_TRACE'");
  };
  CHECK(count() == 0);
  trace.decoder().set_enable_result(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, CUPTI_SUCCESS);
  CHECK(count() == 1);
}

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
