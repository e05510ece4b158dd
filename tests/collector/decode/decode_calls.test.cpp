#include <pthread.h>
#include <unistd.h>

#include <thread>

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::ApiCallRow;
using schema::CudaEventRow;
using schema::SynchronizationRow;
using schema::ThreadNameRow;
using test::ApiRecord;
using test::ContextRecord;
using test::CudaEventRecord;
using test::cupti_time;
using test::SynchronizationRecord;
using test::SyntheticTrace;

ApiRecord call_record(CUpti_ActivityKind kind, std::uint32_t cbid) {
  auto record = test::make_record<ApiRecord>(kind);
  record.cbid = cbid;
  record.start = cupti_time(10);
  record.end = cupti_time(25);
  record.processId = test::pid;
  record.threadId = 4713;
  record.correlationId = 99;
  return record;
}

TEST_CASE("a runtime call is a row with its name and version and thread", "[decode]") {
  SyntheticTrace trace;
  ApiRecord record =
      call_record(CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
  record.returnValue = 700;
  trace.decode(record);
  const auto row = trace.row<ApiCallRow>();
  CHECK(row.start == 10);
  CHECK(row.end == 25);
  CHECK(row.eventClass == 0);
  CHECK(row.globalTid == schema::global_tid(test::pid, 4713));
  CHECK(row.correlationId == 99);
  CHECK(trace.text(row.nameId) == "cudaLaunchKernel_v7000");
  CHECK(row.returnValue == 700);
  CHECK(row.cbid == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
}

TEST_CASE("the same number means another function in the driver", "[decode]") {
  SyntheticTrace trace;
  const std::uint32_t cbid = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;
  trace.decode(call_record(CUPTI_ACTIVITY_KIND_DRIVER, cbid),
               call_record(CUPTI_ACTIVITY_KIND_RUNTIME, cbid),
               call_record(CUPTI_ACTIVITY_KIND_DRIVER, cbid));
  const auto rows = trace.rows<ApiCallRow>();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].eventClass == 1);
  CHECK(rows[1].eventClass == 0);
  CHECK(trace.text(rows[0].nameId) == "cuLaunchKernel");
  CHECK(trace.text(rows[1].nameId).starts_with("cuda"));
  CHECK(rows[2].nameId == rows[0].nameId);
}

TEST_CASE("a function that libcupti does not know has its number for a name", "[decode]") {
  SyntheticTrace trace;
  trace.decode(call_record(CUPTI_ACTIVITY_KIND_RUNTIME, 99'999),
               call_record(CUPTI_ACTIVITY_KIND_DRIVER, 99'999));
  const auto rows = trace.rows<ApiCallRow>();
  REQUIRE(rows.size() == 2);
  CHECK(trace.text(rows[0].nameId) == "runtime cbid 99999");
  CHECK(trace.text(rows[1].nameId) == "driver cbid 99999");
}

TEST_CASE("a thread is named once by what the kernel calls it", "[decode]") {
  SyntheticTrace trace;
  std::thread([&] {
    ::pthread_setname_np(::pthread_self(), "loader");
    ApiRecord record = call_record(CUPTI_ACTIVITY_KIND_RUNTIME, 1);
    record.threadId = static_cast<std::uint32_t>(::gettid());
    trace.decode(record, record);
    const auto row = trace.row<ThreadNameRow>();
    CHECK(trace.text(row.nameId) == "loader");
    CHECK(row.globalTid == schema::global_tid(test::pid, record.threadId));
  }).join();
}

TEST_CASE("a thread that is gone is called by its id", "[decode]") {
  SyntheticTrace trace;
  ApiRecord record = call_record(CUPTI_ACTIVITY_KIND_DRIVER, 1);
  record.threadId = 16'000'000;  // above the largest thread id of Linux
  trace.decode(record);
  CHECK(trace.text(trace.row<ThreadNameRow>().nameId) == "thread 16000000");
}

TEST_CASE("a call that never returned is kept and counted", "[decode]") {
  SyntheticTrace trace;
  ApiRecord record = call_record(CUPTI_ACTIVITY_KIND_DRIVER, 1);
  record.end = 0;
  trace.decode(record);
  CHECK(trace.row<ApiCallRow>().start == 10);
  CHECK(trace.row<ApiCallRow>().end == -1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_DRIVER).invalidTimestamps == 1);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_RUNTIME).invalidTimestamps == 0);
}

SynchronizationRecord wait_record(std::uint32_t context) {
  auto record = test::make_record<SynchronizationRecord>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
  record.start = cupti_time(10);
  record.end = cupti_time(25);
  record.correlationId = 99;
  record.contextId = context;
  record.streamId = 13;
  record.cudaEventId = 21;
  record.cudaEventSyncId = 0x1'0000'0002;
  return record;
}

ContextRecord context_record(std::uint32_t context, std::uint32_t device) {
  auto record = test::make_record<ContextRecord>(CUPTI_ACTIVITY_KIND_CONTEXT);
  record.contextId = context;
  record.deviceId = device;
  return record;
}

TEST_CASE("a wait is a row with what waits for what", "[decode]") {
  SyntheticTrace trace;
  trace.decode(context_record(1, 6), context_record(2, 5), wait_record(2));
  const auto row = trace.row<SynchronizationRow>();
  CHECK(row.start == 10);
  CHECK(row.end == 25);
  CHECK(row.deviceId == 5);
  CHECK(row.contextId == 2);
  CHECK(row.streamId == 13);
  CHECK(row.correlationId == 99);
  CHECK(row.globalPid == schema::global_pid(test::pid));
  CHECK(row.syncType == 2);
  CHECK(row.eventId == 21);
  CHECK(row.eventSyncId == 0x1'0000'0002);
  CHECK(row.returnValue == 0);
}

TEST_CASE("the device of a context that is not known is not applicable", "[decode]") {
  SyntheticTrace trace;
  trace.decode(context_record(1, 6), wait_record(2));
  CHECK(trace.row<SynchronizationRow>().deviceId == 4'294'967'295);
}

// Each thread has its own buffer, so the record of a wait may come before that of its context.
TEST_CASE("a wait gets its device when the record of its context comes", "[decode]") {
  SyntheticTrace trace;
  trace.decode(wait_record(2), wait_record(3), wait_record(1));
  trace.decoder().write_counts();
  CHECK(trace.rows<SynchronizationRow>().at(0).deviceId == 4'294'967'295);
  trace.decode(context_record(2, 5), context_record(1, 6));
  trace.decoder().write_counts();
  const auto rows = trace.rows<SynchronizationRow>();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].deviceId == 5);
  CHECK(rows[1].deviceId == 4'294'967'295);
  CHECK(rows[2].deviceId == 6);
}

TEST_CASE("what a wait has nothing to do with is not applicable", "[decode]") {
  SyntheticTrace trace;
  SynchronizationRecord record = wait_record(2);
  record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
  record.streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  record.cudaEventId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  trace.decode(record);
  const auto row = trace.row<SynchronizationRow>();
  CHECK(row.syncType == 4);
  CHECK(row.streamId == 4'294'967'295);
  CHECK(row.eventId == 4'294'967'295);
}

TEST_CASE("a query that was not ready keeps its result", "[decode]") {
  SyntheticTrace trace;
  SynchronizationRecord record = wait_record(2);
  record.returnValue = 600;
  trace.decode(record);
  CHECK(trace.row<SynchronizationRow>().returnValue == 600);
}

TEST_CASE("a short synchronization record leaves unknown what it does not tell", "[decode]") {
  trace::TraceWriter writer(schema::Database::in_memory());
  DecodeContext context(writer, test::real_cupti(), test::pid, test::session_start, {});
  const SynchronizationRecord record = wait_record(2);
  constexpr std::size_t size_before_cuda_12_8 = 40;
  decode_synchronization({&record, size_before_cuda_12_8}, context);
  writer.commit();
  const auto row = test::all_rows<SynchronizationRow>(writer.database()).at(0);
  CHECK(row.eventId == 21);
  CHECK_FALSE(row.eventSyncId.has_value());
  CHECK_FALSE(row.returnValue.has_value());
}

TEST_CASE("a wait with impossible times is kept and counted", "[decode]") {
  SyntheticTrace trace;
  SynchronizationRecord record = wait_record(2);
  record.end = cupti_time(9);
  trace.decode(record);
  CHECK(trace.row<SynchronizationRow>().end == 9);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION).invalidTimestamps == 1);
}

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
  SyntheticTrace trace;
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
  SyntheticTrace trace;
  trace.decode(event_record());
  CHECK_FALSE(trace.row<CudaEventRow>().timestamp.has_value());
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_CUDA_EVENT).invalidTimestamps == 0);
}

TEST_CASE("an event captured into a graph has sync id 0", "[decode]") {
  SyntheticTrace trace;
  CudaEventRecord record = event_record();
  record.cudaEventSyncId = 0;
  trace.decode(record);
  CHECK(trace.row<CudaEventRow>().eventSyncId == 0);
}

TEST_CASE("a short event record has the device of its context and no sync id", "[decode]") {
  trace::TraceWriter writer(schema::Database::in_memory());
  DecodeContext context(writer, test::real_cupti(), test::pid, test::session_start, {});
  context.device_of_context[2] = 6;
  const CudaEventRecord record = event_record();
  constexpr std::size_t size_before_cuda_12_8 = 24;
  decode_cuda_event({&record, size_before_cuda_12_8}, context);
  writer.commit();
  const auto row = test::all_rows<CudaEventRow>(writer.database()).at(0);
  CHECK(row.deviceId == 6);
  CHECK(row.eventId == 21);
  CHECK_FALSE(row.eventSyncId.has_value());
}

}  // namespace

}  // namespace lapscope::decode
