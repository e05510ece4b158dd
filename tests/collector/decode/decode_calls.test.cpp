#include <pthread.h>
#include <unistd.h>

#include <thread>

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::ApiCallRow;
using schema::ThreadNameRow;
using test::ApiRecord;
using test::cupti_time;
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

}  // namespace

}  // namespace lapscope::decode
