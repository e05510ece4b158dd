#include "readers/tables/impossible_ops.h"

#include <array>

#include "analyzer/analysis/analyze.h"
#include "analyzer/model/assumptions.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/global_id.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using test::read_written;
using trace::TraceWriter;

constexpr std::uint32_t pid_of_rows = 7;
constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t session_start = 1'700'000'000'000'000'000;

// Returns the details of the health rows with this code.
std::vector<Details> complaints(const Trace& trace, std::string_view code) {
  std::vector<Details> found;
  for (const HealthRow& row : trace.health) {
    if (code_of(row) == code) found.push_back(row.details);
  }
  return found;
}

std::vector<std::int64_t> starts_of(const Trace& trace) {
  std::vector<std::int64_t> starts;
  for (const std::int64_t start : trace.devices.at(0).ops.start) starts.push_back(start / ms);
  return starts;
}

// Adds a launch of 10 us and its kernel. All arguments are in ms.
void add_launched(TraceWriter& trace, std::int64_t call, std::int64_t start, std::int64_t end,
                  std::int64_t stream = 7) {
  static std::int64_t correlation = 0;
  schema::ApiCallRow row;
  row.start = call * ms;
  row.end = row.start + 10'000;
  row.globalTid = schema::global_tid(pid_of_rows, 1);
  row.correlationId = ++correlation;
  row.nameId = trace.intern("cudaLaunchKernel_v7000");
  trace.insert(row);
  schema::KernelRow kernel = test::kernel(start * ms, end * ms, stream);
  kernel.correlationId = correlation;
  kernel.globalPid = schema::global_pid(pid_of_rows);
  trace.insert(kernel);
}

void add_recording_of(TraceWriter& trace, std::int64_t length) {
  schema::SessionStartRow start;
  start.utcEpochNs = session_start;
  trace.insert(start);
  for (const std::int64_t at : {std::int64_t{0}, length * ms}) {
    schema::ClockRow clock;
    clock.label = at == 0 ? "start" : "end";
    clock.realtime = session_start + at;
    clock.monotonic = at;
    trace.insert(clock);
  }
}

void tell_of_dependent_launches(TraceWriter& trace) {
  schema::RecordsRow row;
  row.kind = -5;
  row.name = "LAUNCH_ATTRIBUTES";
  row.enableResult = 0;
  trace.insert(row);
}

//   call         [2]
//   stream 7  [1 ]    [3 ]
TEST_CASE("no op starts before its call", "[impossible]") {
  const Trace trace = read_written([](TraceWriter& writer) {
    add_launched(writer, 10, 11, 12);
    add_launched(writer, 30, 25, 26);
    add_launched(writer, 40, 41, 42);
  });
  CHECK(starts_of(trace) == std::vector<std::int64_t>{11, 41});
  REQUIRE(complaints(trace, "impossible-times").size() == 1);
  // Numbers of ops: begun before their call, ended after the recording, and overlapping in their
  // stream.
  CHECK(complaints(trace, "impossible-times")[0] ==
        Details{"CUPTI_ACTIVITY_KIND_KERNEL", std::int64_t{1}, std::int64_t{0}, std::int64_t{0}});
  REQUIRE(trace.impossible_ops.size() == 1);
  CHECK(trace.impossible_ops[0].may_have_run == Interval{30 * ms, 41 * ms});
  CHECK(complaints(trace, "orphan-launches").empty());
}

TEST_CASE("what the clocks are apart is no defect", "[impossible]") {
  const Trace trace = read_written([](TraceWriter& writer) {
    add_launched(writer, 10, 11, 12);
    schema::KernelRow early = test::kernel(10 * ms - assumed::clocks_apart, 11 * ms, 8);
    early.correlationId = 1;
    writer.insert(early);
  });
  CHECK(trace.impossible_ops.empty());
}

// CUPTI's record of a copy within the host includes the time in which the copy waits for earlier
// kernels. JAX makes such copies.
TEST_CASE("a copy within the host is not beside the work that it waited for", "[impossible]") {
  constexpr std::int64_t within_host = 9;  // CUPTI_ACTIVITY_MEMCPY_KIND_HTOH
  const Trace trace = read_written([](TraceWriter& writer) {
    add_launched(writer, 10, 12, 14);
    schema::MemcpyRow copy = test::memcpy(11 * ms, 16 * ms, within_host);
    copy.globalPid = schema::global_pid(pid_of_rows);
    writer.insert(copy);
  });
  CHECK(trace.impossible_ops.empty());
  CHECK(starts_of(trace) == std::vector<std::int64_t>{12, 14});
}

TEST_CASE("no op ends after the recording", "[impossible]") {
  const Trace trace = read_written([](TraceWriter& writer) {
    add_recording_of(writer, 100);
    add_launched(writer, 10, 11, 12);
    add_launched(writer, 30, 31, 1'000'000);
    add_launched(writer, 30, 32, 100, 8);
  });
  CHECK(starts_of(trace) == std::vector<std::int64_t>{11, 32});
  CHECK(complaints(trace, "impossible-times").size() == 1);
}

//   stream 7  [1 ]  [2               ]     without op 2, no two ops of the stream overlap
//                      [3 ]   [4 ]
TEST_CASE("of overlapping ops in a stream, as few as possible are left out", "[impossible]") {
  const Trace trace = read_written([](TraceWriter& writer) {
    tell_of_dependent_launches(writer);
    add_launched(writer, 10, 11, 12);
    add_launched(writer, 12, 13, 90);
    add_launched(writer, 14, 15, 16);
    add_launched(writer, 16, 17, 18);
    add_launched(writer, 16, 17, 80, 8);  // in another stream
  });
  CHECK(starts_of(trace) == std::vector<std::int64_t>{11, 15, 17, 17});
  CHECK(trace.impossible_ops.size() == 1);
}

TEST_CASE("kernels beside each other are no defect where one may be launched early",
          "[impossible]") {
  const auto fill = [](TraceWriter& writer) {
    add_launched(writer, 10, 11, 20);
    add_launched(writer, 10, 15, 25);
    add_launched(writer, 10, 22, 30);
  };
  CHECK(read_written(fill).impossible_ops.empty());
  const auto with_copy = [&](TraceWriter& writer) {
    fill(writer);
    writer.insert(test::memcpy(28 * ms, 29 * ms, 1));
  };
  // A copy cannot overlap a kernel of its stream. The first copy is in another process than the
  // kernels, so it is in another stream. The second copy is in the kernels' process and stream.
  CHECK(read_written(with_copy).impossible_ops.empty());
  CHECK(read_written([&](TraceWriter& writer) {
          fill(writer);
          schema::MemcpyRow copy = test::memcpy(28 * ms, 29 * ms, 1);
          copy.globalPid = schema::global_pid(pid_of_rows);
          writer.insert(copy);
        }).impossible_ops.size() == 1);
  // The first op ends too late. Many kernels run one after the other during it.
  const Trace late = read_written([](TraceWriter& writer) {
    add_launched(writer, 10, 11, 1000);
    for (std::int64_t n = 0; n < 200; ++n) add_launched(writer, 10, 20 + 2 * n, 21 + 2 * n);
  });
  CHECK(late.impossible_ops.size() == 1);
  CHECK(late.devices.at(0).ops.size() == 200);
}

TEST_CASE("ops of graphs have no order in their stream", "[impossible]") {
  const Trace trace = read_written([](TraceWriter& writer) {
    for (const std::int64_t node : {1, 2}) {
      schema::MemcpyRow copy = test::memcpy(10 * ms, 20 * ms, 1);
      copy.graphNodeId = node;
      writer.insert(copy);
    }
  });
  CHECK(trace.impossible_ops.empty());
}

// The second range has an op with impossible times:
//
//   NVTX      [first ]    [second    ]
//   calls      [1]         [2]   [3]
TEST_CASE("only the scopes that may hold the op are inconclusive", "[impossible]") {
  const Trace trace = read_written([](TraceWriter& writer) {
    add_launched(writer, 10, 11, 12);
    add_launched(writer, 10, 13, 14);
    add_launched(writer, 50, 40, 41);
    add_launched(writer, 60, 61, 62);
    for (const std::int64_t at : {9, 49}) {
      schema::NvtxRow range;
      range.start = at * ms;
      range.end = (at + 20) * ms;
      range.eventType = 59;
      range.globalTid = schema::global_tid(pid_of_rows, 1);
      range.textId = writer.intern(at == 9 ? "first" : "second");
      writer.insert(range);
    }
  });
  AnalyzeOptions options;
  options.ranges = {"first", "second"};
  const Report report = analyze(trace, options);
  REQUIRE(report.trust == Trust::sound);
  REQUIRE(report.devices.at(0).ranges.size() == 2);
  CHECK(report.devices[0].ranges[0].scope.impossible_ops == 0);
  CHECK(report.devices[0].ranges[1].scope.impossible_ops == 1);
  CHECK(report.devices[0].scope.impossible_ops == 1);
}

TEST_CASE("a device with no other op is an error of the trace", "[impossible]") {
  const Trace trace = read_written([](TraceWriter& writer) {
    add_recording_of(writer, 100);
    writer.insert(test::kernel(10 * ms, 200 * ms));
  });
  CHECK(trace.devices.empty());
  CHECK(severity_of(trace.health.at(0)) == Severity::error);
}

TEST_CASE("ids that no stream, call or process has are not cut to 32 bits", "[impossible]") {
  for (const char* change :
       {"streamId = -1", "streamId = 4294967303", "streamId = 'seven'", "correlationId = -2",
        "correlationId = 4294967296", "globalPid = 'x'"}) {
    INFO(change);
    const Trace trace = read_written([change](TraceWriter& writer) {
      writer.insert(test::kernel(10, 20));
      writer.insert(test::kernel(30, 40));
      writer.insert(test::memset(50, 60));
      writer.commit();
      writer.database().execute("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET " + std::string(change) +
                                " WHERE start = 30");
    });
    CHECK(trace.devices.at(0).ops.size() == 2);
    REQUIRE(trace.health.size() == 1);
    CHECK(code_of(trace.health[0]) == "invalid-ids");
    CHECK(severity_of(trace.health[0]) == Severity::error);
    CHECK(trace.health[0].details == Details{"CUPTI_ACTIVITY_KIND_KERNEL", std::int64_t{1}});
  }
}

TEST_CASE("a trace that does not tell how its recording ended is no whole one", "[impossible]") {
  for (const char* change : {"DROP TABLE LAPSCOPE_CAPTURE", "DELETE FROM LAPSCOPE_CAPTURE"}) {
    const Trace trace = read_written([change](TraceWriter& writer) {
      writer.insert(test::kernel(10, 20));
      writer.commit();
      writer.database().execute(change);
    });
    REQUIRE(complaints(trace, "facts-missing").size() == 1);
  }
}

// Adds a call. The recording is 100 ms long. Times are in ms.
void add_call(TraceWriter& trace, std::int64_t start, std::int64_t end, std::int64_t correlation) {
  schema::ApiCallRow row;
  row.start = start * ms;
  row.end = end * ms;
  row.globalTid = schema::global_tid(pid_of_rows, 1);
  row.correlationId = correlation;
  row.nameId = trace.intern("cudaStreamSynchronize_v3020");
  trace.insert(row);
}

std::vector<std::int64_t> calls_that_stay(const std::vector<std::array<std::int64_t, 3>>& calls,
                                          std::int64_t complaints_wanted) {
  const Trace trace = read_written([&](TraceWriter& writer) {
    add_recording_of(writer, 100);
    writer.insert(test::kernel(1 * ms, 2 * ms));
    for (const auto& [start, end, correlation] : calls) add_call(writer, start, end, correlation);
  });
  CHECK(complaints(trace, "impossible-times").size() == (complaints_wanted > 0 ? 1 : 0));
  for (const HealthRow& row : trace.health) {
    if (code_of(row) != "impossible-times") continue;
    CHECK(row.count == complaints_wanted);
    CHECK(severity_of(row) == Severity::error);
  }
  std::vector<std::int64_t> starts;
  for (const std::int64_t start : trace.calls.start) starts.push_back(start / ms);
  return starts;
}

using Starts = std::vector<std::int64_t>;

//   [1   ]  [4    ]  [6 ]     calls of one thread, with their ids
//    [2][3]  [5 ]             2 and 3 are inside 1, and 5 is inside 4
TEST_CASE("nested calls that begin in the order of their ids are possible", "[impossible]") {
  CHECK(calls_that_stay(
            {{10, 20, 1}, {11, 12, 2}, {13, 14, 3}, {30, 40, 4}, {31, 32, 5}, {50, 51, 6}}, 0) ==
        Starts{10, 30, 50, 11, 13, 31});
}

// The damaged begin of call 3 is 0.
TEST_CASE("a call that begins before calls with lesser ids is at odds with them", "[impossible]") {
  CHECK(calls_that_stay({{10, 12, 1}, {20, 22, 2}, {0, 32, 3}, {40, 42, 4}}, 1) ==
        Starts{10, 20, 40});
}

//   [1      ]               call 2 begins inside call 1, and ends after it
//      [2      ]  [3 ]
TEST_CASE("a call that ends in the midst of another is at odds with it", "[impossible]") {
  CHECK(calls_that_stay({{10, 25, 1}, {20, 30, 2}, {40, 41, 3}}, 1) == Starts{20, 40});
}

TEST_CASE("no call and no range ends after the recording", "[impossible]") {
  CHECK(calls_that_stay({{10, 11, 1}, {20, std::int64_t{1} << 33, 2}, {40, 41, 3}}, 1) ==
        Starts{10, 40});
  const Trace trace = read_written([](TraceWriter& writer) {
    add_recording_of(writer, 100);
    writer.insert(test::kernel(1 * ms, 2 * ms));
    schema::NvtxRow range;
    range.start = 5 * ms;
    range.end = 101 * ms;
    range.eventType = 59;
    writer.insert(range);
  });
  CHECK(complaints(trace, "impossible-times").size() == 1);
  CHECK(trace.ranges.empty());
}

TEST_CASE("a closed recording without what the collector always writes lacks facts",
          "[impossible]") {
  const Trace trace = read_written([](TraceWriter& writer) {
    writer.insert(test::kernel(1 * ms, 2 * ms));
    writer.set_fact(schema::fact::buffers_kept, "0");
  });
  CHECK(complaints(trace, "facts-missing").size() == 2);
}

}  // namespace
}  // namespace lapscope::analyzer
