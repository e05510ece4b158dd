#include <cstdlib>
#include <cstring>

#include "tests/collector/support/heap.h"
#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::CompilationRow;
using schema::OverheadRow;
using test::cupti_time;
using test::JitRecord;
using test::OverheadRecord;
using test::SyntheticTrace;

OverheadRecord overhead_record(CUpti_ActivityOverheadKind kind) {
  auto record = test::make_record<OverheadRecord>(CUPTI_ACTIVITY_KIND_OVERHEAD);
  record.overheadKind = kind;
  record.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  record.objectId.pt.processId = test::pid;
  record.objectId.pt.threadId = 4713;
  record.start = cupti_time(10);
  record.end = cupti_time(25);
  return record;
}

// Returns allocated data, which the reader of the record must free, as with CUPTI.
void* full_buffer_data(std::size_t room = sizeof(CUpti_ActivityOverheadCommandBufferFullData)) {
  CUpti_ActivityOverheadCommandBufferFullData data{};
  data.commandBufferLength = 1024;
  data.channelID = 6;
  data.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
  void* memory = std::malloc(room);
  std::memcpy(memory, &data, sizeof data);
  return memory;
}

TEST_CASE("overhead is a row with its kind in code and words", "[decode]") {
  SyntheticTrace trace;
  OverheadRecord record = overhead_record(CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH);
  record.correlationId = 99;
  trace.decode(record);
  const auto row = trace.row<OverheadRow>();
  CHECK(row.start == 10);
  CHECK(row.end == 25);
  CHECK(row.eventClass == 103);
  CHECK(row.globalTid == schema::global_tid(test::pid, 4713));
  CHECK(row.correlationId == 99);
  CHECK(row.overheadType == 3);
  CHECK(trace.text(row.nameId) == "CUPTI buffer flush");
  CHECK_FALSE(row.channelId.has_value());
}

TEST_CASE("overhead that is no thread's and no call's says neither", "[decode]") {
  SyntheticTrace trace;
  OverheadRecord record = overhead_record(CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE);
  record.objectKind = CUPTI_ACTIVITY_OBJECT_PROCESS;
  trace.decode(record);
  CHECK_FALSE(trace.row<OverheadRow>().globalTid.has_value());
  CHECK_FALSE(trace.row<OverheadRow>().correlationId.has_value());
}

TEST_CASE("a kind of overhead that is not known is undefined", "[decode]") {
  SyntheticTrace trace;
  trace.decode(overhead_record(static_cast<CUpti_ActivityOverheadKind>(77 << 16)));
  CHECK(trace.row<OverheadRow>().overheadType == 0);
  CHECK(trace.text(trace.row<OverheadRow>().nameId) == "Undefined");
}

TEST_CASE("a full command buffer names its channel", "[decode]") {
  SyntheticTrace trace;
  OverheadRecord record = overhead_record(CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL);
  record.overheadData = full_buffer_data();
  trace.decode(record);
  CHECK(trace.row<OverheadRow>().channelId == 6);
  CHECK(trace.row<OverheadRow>().overheadType == 8);
}

TEST_CASE("a full command buffer without data has no channel", "[decode]") {
  SyntheticTrace trace;
  trace.decode(overhead_record(CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL));
  CHECK_FALSE(trace.row<OverheadRow>().channelId.has_value());
}

TEST_CASE("the data of an overhead record are freed", "[decode]") {
  SyntheticTrace trace;
  constexpr std::size_t room = 100'000;
  constexpr std::size_t count = 100;
  const std::size_t before = test::heap_in_use();
  for (std::size_t i = 0; i < count; ++i) {
    // Half of the records have a kind without data in today's CUPTI.
    OverheadRecord record = overhead_record(i % 2 ? CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL
                                                  : CUPTI_ACTIVITY_OVERHEAD_UNKNOWN);
    record.overheadData = full_buffer_data(room);
    trace.decode(record);
  }
  CHECK(trace.rows<OverheadRow>().size() == count);
  CHECK(test::heap_in_use() < before + count * room / 2);
}

TEST_CASE("overhead with impossible times is kept and counted", "[decode]") {
  SyntheticTrace trace;
  OverheadRecord record = overhead_record(CUPTI_ACTIVITY_OVERHEAD_UNKNOWN);
  record.start = 0;
  trace.decode(record);
  CHECK(trace.row<OverheadRow>().start == -1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_OVERHEAD).invalidTimestamps == 1);
}

JitRecord jit_record(CUpti_ActivityJitOperationType operation) {
  auto record = test::make_record<JitRecord>(CUPTI_ACTIVITY_KIND_JIT);
  record.jitEntryType = CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN;
  record.jitOperationType = operation;
  record.deviceId = 5;
  record.start = test::cupti_time(10);
  record.end = test::cupti_time(25);
  record.correlationId = 99;
  record.jitOperationCorrelationId = 7;
  record.cacheSize = 4096;
  record.cachePath = "/home/somebody/.nv/ComputeCache/1/2/3";
  record.threadId = 4712;
  return record;
}

TEST_CASE("a compilation is a row with its call", "[decode]") {
  SyntheticTrace trace;
  trace.decode(jit_record(CUPTI_ACTIVITY_JIT_OPERATION_COMPILE));
  const auto row = trace.row<CompilationRow>();
  CHECK(row.start == 10);
  CHECK(row.end == 25);
  CHECK(row.deviceId == 5);
  CHECK(row.globalTid == schema::global_tid(test::pid, 4712));
  CHECK(row.correlationId == 99);
  CHECK(row.entryType == 1);
  CHECK(row.operationType == 3);
  CHECK(row.operationId == 7);
  CHECK_FALSE(row.cacheSize.has_value());
}

TEST_CASE("an access to the cache tells its size but not where it lies", "[decode]") {
  SyntheticTrace trace;
  trace.decode(jit_record(CUPTI_ACTIVITY_JIT_OPERATION_CACHE_STORE));
  CHECK(trace.row<CompilationRow>().cacheSize == 4096);
  CHECK_FALSE(trace.database().has_table("StringIds"));  // no path is stored
}

TEST_CASE("a short compilation record has no thread", "[decode]") {
  trace::TraceWriter writer(schema::Database::in_memory());
  DecodeContext context(writer, test::real_cupti(), test::pid, test::session_start, {});
  const JitRecord record = jit_record(CUPTI_ACTIVITY_JIT_OPERATION_COMPILE);
  constexpr std::size_t size_before_cuda_12_4 = 64;
  decode_compilation({&record, size_before_cuda_12_4}, context);
  CHECK_FALSE(test::all_rows<CompilationRow>(writer.database()).at(0).globalTid.has_value());
}

}  // namespace

}  // namespace lapscope::decode
