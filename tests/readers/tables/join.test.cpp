#include "collector/schema/global_id.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

// How ops find the calls that issued them.
namespace lapscope::analyzer {
namespace {

using test::read_written;
using trace::TraceWriter;

struct Call {
  std::int64_t start;
  std::int64_t end;
  std::int64_t correlation;
  std::uint32_t thread = 1;
};

// Makes a trace with these calls, in this order, and a kernel for each id in `kernels`.
Trace with(const std::vector<Call>& calls, const std::vector<std::int64_t>& kernels) {
  return read_written([&](TraceWriter& trace) {
    for (const Call& call : calls) {
      schema::ApiCallRow row;
      row.start = call.start;
      row.end = call.end;
      row.globalTid = schema::global_tid(0, call.thread);
      row.correlationId = call.correlation;
      row.nameId = trace.intern("cudaLaunchKernel_v7000");
      trace.insert(row);
    }
    std::int64_t now = 1000;
    for (const std::int64_t correlation : kernels) {
      schema::KernelRow row = test::kernel(now, now + 10);
      row.correlationId = correlation;
      trace.insert(row);
      now += 20;
    }
  });
}

// Returns the start of each op's call, or -1 for an op without a call.
std::vector<std::int64_t> issues(const Trace& trace) {
  std::vector<std::int64_t> starts;
  for (const std::uint32_t call : trace.devices.at(0).ops.issue) {
    starts.push_back(call == no_index ? -1 : trace.calls.start[call]);
  }
  return starts;
}

using Starts = std::vector<std::int64_t>;

TEST_CASE("calls in any order in the file are put in order by thread and start") {
  const Trace trace = with({{50, 60, 3, 2}, {30, 40, 2}, {10, 20, 1}}, {1, 2, 3});
  REQUIRE(trace.calls.start == Starts{10, 30, 50});
  REQUIRE(trace.calls.threads.size() == 2);
  REQUIRE(issues(trace) == Starts{10, 30, 50});
}

TEST_CASE("calls inside another come after those that are in none") {
  //  thread  AAAAAAAA  CC
  //           bb dd
  const Trace trace = with({{12, 14, 2}, {10, 30, 1}, {16, 20, 4}, {40, 45, 3}}, {1, 2, 3, 4});
  REQUIRE(trace.calls.start == Starts{10, 40, 12, 16});
  REQUIRE(trace.calls.threads[0].last == 2);
  REQUIRE(trace.calls.threads[0].end == 4);
  REQUIRE(issues(trace) == Starts{10, 12, 40, 16});
}

TEST_CASE("of two calls with one id, one inside the other, the outer one counts") {
  const Trace trace = with({{12, 14, 1}, {10, 30, 1}}, {1});
  REQUIRE(issues(trace) == Starts{10});
  REQUIRE(trace.health.empty());
}

// Times in whole us can let an inner call end after the outer one:
//
//   thread   [outer     ]
//             [inner     ]  [next]
TEST_CASE("a call that starts while another one of its thread runs is inside it") {
  CHECK(issues(with({{100, 105, 1}, {101, 106, 1}}, {1})) == Starts{100});
  CHECK(issues(with({{100, 105, 1}, {105, 110, 1}}, {1})) == Starts{-1});
  CHECK(issues(with({{100, 105, 1, 1}, {101, 104, 1, 2}}, {1})) == Starts{-1});
}

TEST_CASE("an id that two calls have tells nothing, and is counted") {
  const Trace trace = with({{10, 20, 1}, {30, 40, 1}, {50, 60, 2}}, {1, 2});
  REQUIRE(issues(trace) == Starts{-1, 50});
  REQUIRE(trace.health.size() == 2);
  REQUIRE(code_of(trace.health[0]) == "unissued-ops");
  REQUIRE(code_of(trace.health[1]) == "duplicate-correlation-ids");
  REQUIRE(trace.health[1].count == 2);
}

TEST_CASE("ids that are far apart are found as well") {
  const Trace trace = with({{10, 20, 1}, {30, 40, 4'000'000'000}}, {4'000'000'000, 1, 2});
  REQUIRE(issues(trace) == Starts{30, 10, -1});
}

TEST_CASE("an op on a device that the list of GPUs does not have is judged, and said") {
  const Trace trace = read_written([](TraceWriter& writer) {
    schema::GpuRow gpu;
    gpu.id = 0;
    writer.insert(gpu);
    writer.insert(test::kernel(0, 10, 7, 0));
    writer.insert(test::kernel(0, 10, 7, 3));
    writer.insert(test::kernel(0, 10, 7, std::int64_t{1} << 40));  // no valid device
  });
  REQUIRE(trace.devices.size() == 2);
  REQUIRE(trace.devices[1].id == 3);
  REQUIRE(trace.health.size() == 2);
  REQUIRE(code_of(trace.health[0]) == "invalid-timestamps");
  REQUIRE(code_of(trace.health[1]) == "unknown-device");
}

}  // namespace
}  // namespace lapscope::analyzer
