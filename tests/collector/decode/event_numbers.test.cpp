#include "collector/decode/event_numbers.h"

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using test::SyntheticTrace;

// Makes callbacks replace CUPTI's records of events and waits.
void told_by_callbacks(SyntheticTrace& trace) {
  trace.decoder().set_enable_result(callbacks::Source::synchronization, CUPTI_SUCCESS);
  trace.decoder().set_enable_result(callbacks::Source::cuda_events, CUPTI_SUCCESS);
}

callbacks::EventRecord recorded(std::uint64_t event, bool is_captured = false) {
  return {event, 99, 1, 13, is_captured};
}

callbacks::Wait wait_for(std::uint64_t event) {
  callbacks::Wait wait;
  wait.kind = callbacks::Wait::Kind::stream_wait_event;
  wait.begin = test::cupti_time(10);
  wait.end = test::cupti_time(25);
  wait.event = event;
  wait.correlation = 98;
  wait.context = 1;
  wait.stream = 14;
  return wait;
}

TEST_CASE("a wait that a callback told is a row as CUPTI's", "[decode]") {
  SyntheticTrace trace;
  told_by_callbacks(trace);
  auto context = test::make_record<test::ContextRecord>(CUPTI_ACTIVITY_KIND_CONTEXT);
  context.contextId = 2;
  context.deviceId = 5;
  auto stream = test::make_record<test::StreamRecord>(CUPTI_ACTIVITY_KIND_STREAM);
  stream.contextId = 2;  // not the current context of the thread
  stream.streamId = 14;
  trace.decode(context, stream);
  trace.tell(recorded(0x7000), wait_for(0x7000));
  const auto row = trace.row<schema::SynchronizationRow>();
  CHECK(row.start == 10);
  CHECK(row.end == 25);
  CHECK(row.deviceId == 5);
  CHECK(row.contextId == 2);
  CHECK(row.streamId == 14);
  CHECK(row.correlationId == 98);
  CHECK(row.globalPid == schema::global_pid(test::pid));
  CHECK(row.syncType == 2);
  CHECK(row.returnValue == 0);
  const auto record = trace.row<schema::CudaEventRow>();
  CHECK_FALSE(record.timestamp.has_value());
  CHECK(record.contextId == 1);
  CHECK(record.streamId == 13);
  CHECK(record.correlationId == 99);
  CHECK(record.globalPid == schema::global_pid(test::pid));
  CHECK(record.eventId == row.eventId);
  CHECK(record.eventSyncId == row.eventSyncId);
  CHECK(record.eventSyncId == 1);
}

TEST_CASE("a wait for a context or a stream is for no event", "[decode]") {
  SyntheticTrace trace;
  told_by_callbacks(trace);
  callbacks::Wait wait = wait_for(0);
  wait.kind = callbacks::Wait::Kind::context;
  wait.stream.reset();
  trace.tell(wait);
  const auto row = trace.row<schema::SynchronizationRow>();
  CHECK(row.syncType == 4);
  CHECK(row.streamId == 4'294'967'295);
  CHECK(row.eventId == 4'294'967'295);
  CHECK(row.eventSyncId == 4'294'967'295);
}

std::vector<std::int64_t> syncs_of_waits(SyntheticTrace& trace) {
  std::vector<std::int64_t> syncs;
  for (const auto& row : trace.rows<schema::SynchronizationRow>()) {
    syncs.push_back(row.eventSyncId.value_or(-1));
  }
  return syncs;
}

TEST_CASE("a wait is for the last record of its event", "[decode]") {
  SyntheticTrace trace;
  told_by_callbacks(trace);
  trace.tell(recorded(1), wait_for(1), recorded(1), recorded(2));
  trace.tell(wait_for(1), wait_for(2));
  CHECK(syncs_of_waits(trace) == std::vector<std::int64_t>{1, 2, 3});
}

TEST_CASE("a handle that is used again is another event", "[decode]") {
  SyntheticTrace trace;
  told_by_callbacks(trace);
  const callbacks::NewEvent made{1, 1};
  trace.tell(made, wait_for(1), recorded(1), wait_for(1), made, wait_for(1));
  CHECK(syncs_of_waits(trace) == std::vector<std::int64_t>{0, 1, 0});
  const auto rows = trace.rows<schema::SynchronizationRow>();
  CHECK(rows[0].eventId == rows[1].eventId);
  CHECK(rows[1].eventId != rows[2].eventId);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_CUDA_EVENT).received == 1);
}

// In CUDA, the last wait fails, because the event was last recorded in a capture.
TEST_CASE("nothing is recorded or waited for in a capture", "[decode]") {
  SyntheticTrace trace;
  told_by_callbacks(trace);
  callbacks::Wait captured = wait_for(1);
  captured.is_captured = true;
  trace.tell(recorded(1), recorded(1, true), captured, wait_for(1));
  CHECK(syncs_of_waits(trace) == std::vector<std::int64_t>{0, 0});
  const auto records = trace.rows<schema::CudaEventRow>();
  REQUIRE(records.size() == 2);
  CHECK(records[0].eventSyncId == 1);
  CHECK(records[1].eventSyncId == 0);
}

// The device of the event need not be the current one.
TEST_CASE("a wait for an event has the context that the event was made in", "[decode]") {
  SyntheticTrace trace;
  told_by_callbacks(trace);
  callbacks::Wait wait = wait_for(1);
  wait.kind = callbacks::Wait::Kind::event;
  wait.stream.reset();
  trace.tell(callbacks::NewEvent{1, 3}, wait);
  CHECK(trace.row<schema::SynchronizationRow>().contextId == 3);
}

TEST_CASE("either callbacks or CUPTI's records are written", "[decode]") {
  SyntheticTrace trace;
  auto record = test::make_record<test::SynchronizationRecord>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  record.cudaEventSyncId = 1000;
  trace.tell(wait_for(1));
  trace.decode(record);
  CHECK(syncs_of_waits(trace) == std::vector<std::int64_t>{1000});
  told_by_callbacks(trace);
  trace.tell(wait_for(1));
  trace.decode(record);
  CHECK(syncs_of_waits(trace) == std::vector<std::int64_t>{1000, 0});
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION).received == 2);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION).enableResult == 0);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION).kind ==
        CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  CHECK_FALSE(trace.counts(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION).recordSize.has_value());
}

TEST_CASE("a wait whose times CUPTI could not tell is kept and counted", "[decode]") {
  SyntheticTrace trace;
  told_by_callbacks(trace);
  callbacks::Wait wait = wait_for(1);
  wait.begin = 0;
  trace.tell(wait);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION).invalidTimestamps == 1);
  CHECK(trace.row<schema::SynchronizationRow>().start == -1);
}

}  // namespace
}  // namespace lapscope::decode
