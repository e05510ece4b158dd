#include "collector/schema/global_id.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

// Two processes in one file, as in exports of Nsight Systems. Each process has its own ids of
// streams, contexts and calls.
namespace lapscope::analyzer {
namespace {

using schema::global_pid;
using schema::global_tid;
using test::read_written;
using trace::TraceWriter;

schema::KernelRow kernel_of(std::uint32_t pid, std::int64_t start, std::int64_t correlation) {
  schema::KernelRow row = test::kernel(start, start + 10, 7);
  row.globalPid = global_pid(pid);
  row.correlationId = correlation;
  return row;
}

schema::ApiCallRow call_of(TraceWriter& trace, std::uint32_t pid, std::int64_t start,
                           std::int64_t correlation) {
  schema::ApiCallRow row;
  row.start = start;
  row.end = start + 5;
  row.globalTid = global_tid(pid, pid + 1);
  row.correlationId = correlation;
  row.nameId = trace.intern("cudaLaunchKernel_v7000");
  return row;
}

Trace two_processes() {
  return read_written([](TraceWriter& trace) {
    for (const std::uint32_t pid : {100U, 200U}) {
      trace.insert(schema::ContextRow{.processId = pid, .deviceId = 0, .contextId = 1});
      trace.insert(schema::StreamRow{
          .streamId = 7, .processId = pid, .contextId = 1, .flag = pid == 100 ? 3 : 2});
    }
    trace.insert(call_of(trace, 100, 0, 1));
    trace.insert(call_of(trace, 200, 50, 1));
    trace.insert(kernel_of(100, 20, 1));
    trace.insert(kernel_of(200, 70, 1));
  });
}

TEST_CASE("streams of two processes are two streams, whatever their ids") {
  const Trace trace = two_processes();
  REQUIRE(trace.devices.size() == 1);
  const Device& device = trace.devices[0];
  REQUIRE(device.streams.size() == 2);
  REQUIRE(device.streams[0].pid == 100);
  REQUIRE(device.streams[0].kind == StreamKind::legacy_default);
  REQUIRE(device.streams[1].pid == 200);
  REQUIRE(device.streams[1].kind == StreamKind::non_blocking);
  REQUIRE(device.ops.stream == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("an op is issued by a call of its own process") {
  const Trace trace = two_processes();
  const Ops& ops = trace.devices[0].ops;
  REQUIRE(trace.calls.start[ops.issue[0]] == 0);
  REQUIRE(trace.calls.start[ops.issue[1]] == 50);
}

TEST_CASE("a file of several processes says so") {
  const Trace trace = two_processes();
  REQUIRE(trace.health.size() == 1);
  REQUIRE(code_of(trace.health[0]) == "several-processes");
  REQUIRE(trace.health[0].count == 2);
  REQUIRE(severity_of(trace.health[0]) == Severity::info);
}

}  // namespace
}  // namespace lapscope::analyzer
