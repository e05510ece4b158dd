#include "analyzer/model/synchronization.h"

#include <algorithm>

#include "collector/schema/global_id.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using schema::CudaEventRow;
using schema::SynchronizationRow;
using test::read_written;
using trace::TraceWriter;

constexpr std::int64_t none = 4294967295;  // the value that CUPTI writes
constexpr std::uint32_t sync_pid = 100;

struct SyncCall {
  const char* function;
  std::int64_t start;
  std::int64_t correlation;
  std::uint32_t process = sync_pid;
};

SynchronizationRow sync(std::int64_t correlation, std::int64_t type, std::int64_t stream,
                        std::int64_t event, std::int64_t event_sync) {
  SynchronizationRow row;
  row.correlationId = correlation;
  row.globalPid = schema::global_pid(sync_pid);
  row.contextId = 1;
  row.syncType = type;
  row.streamId = stream;
  row.eventId = event;
  row.eventSyncId = event_sync;
  return row;
}

CudaEventRow record(std::int64_t correlation, std::int64_t stream, std::int64_t event,
                    std::int64_t event_sync) {
  CudaEventRow row;
  row.correlationId = correlation;
  row.globalPid = schema::global_pid(sync_pid);
  row.contextId = 1;
  row.streamId = stream;
  row.eventId = event;
  row.eventSyncId = event_sync;
  return row;
}

// Makes a trace with these calls of 10 ns and these rows.
Trace with(const std::vector<SyncCall>& calls,
           const std::vector<SynchronizationRow>& synchronizations,
           const std::vector<CudaEventRow>& records = {}, const char* afterwards = "") {
  return read_written([&](TraceWriter& trace) {
    for (const SyncCall& call : calls) {
      schema::ApiCallRow row;
      row.start = call.start;
      row.end = call.start + 10;
      row.globalTid = schema::global_tid(call.process, 1);
      row.correlationId = call.correlation;
      row.nameId = trace.intern(call.function);
      trace.insert(row);
    }
    for (const SynchronizationRow& row : synchronizations) trace.insert(row);
    for (const CudaEventRow& row : records) trace.insert(row);
    trace.commit();
    trace.database().execute(afterwards);
  });
}

TEST_CASE("a stream's wait is joined with the record of its event by what both call event_sync") {
  //   thread   R----       W----         R: record event 3 in stream 13, W: stream 14 waits for it
  const Trace trace = with({{"cudaEventRecord_v3020", 0, 1}, {"cudaStreamWaitEvent_v3020", 20, 2}},
                           {sync(2, 2, 14, 3, 8)}, {record(1, 13, 3, 8)});
  REQUIRE(trace.health.empty());
  REQUIRE(trace.synchronizations.size() == 1);
  const Synchronization& wait = trace.synchronizations[0];
  REQUIRE(wait.kind == SyncKind::stream_wait_event);
  REQUIRE(trace.calls.start[wait.call] == 20);
  REQUIRE(wait.pid == sync_pid);
  REQUIRE(wait.stream == 14);
  REQUIRE(wait.context == 1);
  REQUIRE(wait.event == 3);
  REQUIRE(wait.event_sync == 8);
  REQUIRE(trace.event_records.size() == 1);
  const EventRecord& recorded = trace.event_records[0];
  REQUIRE(trace.calls.start[recorded.call] == 0);
  REQUIRE(recorded.pid == sync_pid);
  REQUIRE(recorded.stream == 13);
  REQUIRE(recorded.context == 1);
  REQUIRE(recorded.event == 3);
  REQUIRE(recorded.event_sync == 8);
}

TEST_CASE("every kind of wait says what it is for, and no stream or event that it has not") {
  const Trace trace = with({{"cudaEventSynchronize_v3020", 0, 1},
                            {"cudaStreamSynchronize_v3020", 20, 2},
                            {"cudaDeviceSynchronize_v3020", 40, 3},
                            {"cuSomethingNew", 60, 4}},
                           {sync(1, 1, none, 3, 8), sync(2, 3, 13, none, none),
                            sync(3, 4, none, none, none), sync(4, 99, none, none, none)});
  const auto& all = trace.synchronizations;
  REQUIRE(all.size() == 4);
  REQUIRE(all[0].kind == SyncKind::event);
  REQUIRE(all[0].stream == no_index);
  REQUIRE(all[0].event == 3);
  REQUIRE(all[1].kind == SyncKind::stream);
  REQUIRE(all[1].stream == 13);
  REQUIRE(all[1].event == no_index);
  REQUIRE(all[1].event_sync == 0);
  REQUIRE(all[2].kind == SyncKind::context);
  REQUIRE(all[2].context == 1);
  REQUIRE(all[3].kind == SyncKind::unknown);
}

TEST_CASE("a query is a synchronization whose call is one") {
  const Trace trace = with({{"cudaEventQuery_v3020", 0, 1}}, {sync(1, 1, none, 3, 8)});
  REQUIRE(trace.synchronizations.at(0).kind == SyncKind::event);
  REQUIRE(trace.calls.kind[trace.synchronizations[0].call] == CallKind::query);
}

TEST_CASE("records are by start of the call, across threads and processes") {
  SynchronizationRow other = sync(1, 3, 7, none, none);
  other.globalPid = schema::global_pid(sync_pid + 1);
  const Trace trace = with({{"cudaStreamSynchronize_v3020", 40, 1},
                            {"cudaStreamSynchronize_v3020", 0, 2},
                            {"cudaStreamSynchronize_v3020", 20, 1, sync_pid + 1}},
                           {sync(1, 3, 13, none, none), other, sync(2, 3, 14, none, none)});
  std::vector<std::int64_t> starts;
  std::vector<std::uint32_t> pids;
  for (const Synchronization& synchronization : trace.synchronizations) {
    starts.push_back(trace.calls.start[synchronization.call]);
    pids.push_back(synchronization.pid);
  }
  REQUIRE(starts == std::vector<std::int64_t>{0, 20, 40});
  REQUIRE(pids == std::vector<std::uint32_t>{sync_pid, sync_pid + 1, sync_pid});
}

TEST_CASE("records whose call is not in the trace are left out and counted") {
  const Trace trace = with({{"cudaEventRecord_v3020", 0, 1}},
                           {sync(2, 4, none, none, none), sync(3, 4, none, none, none)},
                           {record(1, 13, 3, 8), record(4, 13, 3, 9)});
  REQUIRE(trace.synchronizations.empty());
  REQUIRE(trace.event_records.size() == 1);
  REQUIRE(trace.health.size() == 1);
  REQUIRE(code_of(trace.health[0]) == "unplaced-synchronizations");
  REQUIRE(severity_of(trace.health[0]) == Severity::info);
  REQUIRE(trace.health[0].count == 3);
}

TEST_CASE(
    "calls are incomplete where a wait has none, and one before it and one after it are there") {
  const auto knows_calls_with_wait = [](std::int64_t correlation) {
    const Trace trace =
        with({{"cudaStreamSynchronize_v3020", 0, 10}, {"cudaStreamSynchronize_v3020", 20, 12}},
             {sync(10, 3, 13, none, none), sync(correlation, 3, 13, none, none),
              sync(12, 3, 13, none, none)},
             {}, "DELETE FROM LAPSCOPE_CAPTURE WHERE name = 'recording'");
    const auto& kinds = trace.facts.recorded;
    return std::find(kinds.begin(), kinds.end(), "RUNTIME") != kinds.end();
  };
  CHECK_FALSE(knows_calls_with_wait(11));
  CHECK(knows_calls_with_wait(9));  // the trace has a part of the run; the call was before it
  CHECK(knows_calls_with_wait(13));
}

// In exports of Nsight Systems 2024.2, cudaDeviceReset has the same id as the previous call.
TEST_CASE("if two calls have the same id, a record belongs to the only call that fits") {
  const auto with_last = [](const char* last) {
    return with({{"cudaEventRecord_v3020", 0, 1},
                 {"cuCtxSynchronize", 20, 2},
                 {last, 40, 2},
                 {"cudaStreamSynchronize_v3020", 60, 3}},
                {sync(2, 4, none, none, none), sync(3, 3, 13, none, none)}, {record(1, 13, 3, 8)});
  };
  const Trace reset = with_last("cudaDeviceReset_v3020");
  REQUIRE(reset.synchronizations.size() == 2);
  CHECK(reset.synchronizations[0].kind == SyncKind::context);
  CHECK(reset.calls.start[reset.synchronizations[0].call] == 20);
  CHECK(with_last("cudaDeviceSynchronize_v3020").synchronizations.size() == 1);
}

TEST_CASE("without any calls, records that lack theirs are nothing to remark on") {
  const Trace trace = with({}, {sync(2, 4, none, none, none)});
  REQUIRE(trace.synchronizations.empty());
  REQUIRE(trace.health.empty());
}

TEST_CASE("a table that was trimmed is read, and its calls tell who waited for what") {
  const Trace trace =
      with({{"cudaEventRecord_v3020", 0, 1},
            {"cudaStreamWaitEvent_v3020", 20, 2},
            {"cudaStreamSynchronize_v3020", 40, 3}},
           {sync(2, 2, 14, 3, 8), sync(3, 3, 14, none, none)}, {record(1, 13, 3, 8)},
           "ALTER TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION DROP COLUMN syncType;"
           "ALTER TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION DROP COLUMN contextId;"
           "ALTER TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION DROP COLUMN eventId;"
           "ALTER TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT DROP COLUMN eventId;"
           "ALTER TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT DROP COLUMN eventSyncId");
  REQUIRE(trace.synchronizations.size() == 2);
  REQUIRE(trace.synchronizations[0].kind == SyncKind::stream_wait_event);
  REQUIRE(trace.synchronizations[0].stream == 14);
  REQUIRE(trace.synchronizations[0].context == no_index);
  REQUIRE(trace.synchronizations[0].event == no_index);
  REQUIRE(trace.synchronizations[0].event_sync == 8);
  REQUIRE(trace.synchronizations[1].kind == SyncKind::stream);
  REQUIRE(trace.event_records.at(0).stream == 13);
  REQUIRE(trace.event_records[0].event == no_index);
  REQUIRE(trace.event_records[0].event_sync == 0);
}

}  // namespace
}  // namespace lapscope::analyzer
