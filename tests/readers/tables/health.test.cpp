#include "reports/words/health_words.h"

#include <algorithm>

#include "collector/schema/global_id.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using test::read_written;
using trace::TraceWriter;

// Returns each health row as "severity code count".
std::vector<std::string> health_with(const std::function<void(TraceWriter&)>& fill) {
  const Trace trace = read_written([&fill](TraceWriter& writer) {
    writer.insert(test::kernel(0, 1));
    fill(writer);
  });
  std::vector<std::string> rows;
  for (const HealthRow& row : trace.health) {
    rows.push_back(std::string(name_of(severity_of(row))) + " " + std::string(code_of(row)) + " " +
                   std::to_string(row.count));
    CHECK(reports::message_of(row).back() == '.');
  }
  return rows;
}

using Rows = std::vector<std::string>;

TEST_CASE("a complete trace without losses is healthy") {
  REQUIRE(health_with([](TraceWriter&) {}).empty());
}

TEST_CASE("a program that was killed is a warning") {
  REQUIRE(health_with([](TraceWriter& trace) { trace.set_fact("recording", "cut-off"); }) ==
          Rows{"warning cut-off 1"});
}

std::int64_t managed_warnings(const std::function<void(TraceWriter&)>& fill) {
  const Rows rows = health_with(fill);
  return std::count(rows.begin(), rows.end(), "warning managed-memory 1");
}

TEST_CASE("managed memory whose migrations were not recorded is a warning") {
  constexpr std::int64_t device = 2;
  constexpr std::int64_t managed = 4;
  constexpr std::int64_t managed_variable = 6;
  const auto with = [](std::int64_t memory, bool is_recorded, std::int64_t operation = 0) {
    return managed_warnings([=](TraceWriter& trace) {
      schema::MemoryRow row;
      row.memKind = memory;
      row.memoryOperationType = operation;
      trace.insert(row);
      if (!is_recorded) return;
      trace.insert(schema::RecordsRow{1, "UNIFIED_MEMORY_COUNTER", 0, 64, 0, 0});
    });
  };
  CHECK(with(managed, false) == 1);
  CHECK(with(managed_variable, false) == 1);
  CHECK(with(managed, true) == 0);
  CHECK(with(device, false) == 0);
  CHECK(with(managed, false, 1) == 0);  // a release of memory
}

TEST_CASE("calls tell of managed memory where records of memory do not") {
  const auto with = [](const char* function) {
    return managed_warnings([=](TraceWriter& trace) {
      schema::ApiCallRow row;
      row.start = 10;
      row.end = 20;
      row.globalTid = schema::global_tid(1, 1);
      row.nameId = trace.intern(function);
      trace.insert(row);
    });
  };
  CHECK(with("cudaMallocManaged_v6000") == 1);
  CHECK(with("cuMemAllocManaged") == 1);
  CHECK(with("cudaMalloc_v3020") == 0);
}

TEST_CASE("leaving CUPTI to the program is a warning") {
  REQUIRE(health_with([](TraceWriter& trace) { trace.set_fact("yields-to-app", "yes"); }) ==
          Rows{"warning yielded 1"});
}

TEST_CASE("lost records make conclusions inconclusive") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::LossRow{"dropped-records", 12, "counted by CUPTI"});
          }) == Rows{"error dropped-records 12"});
}

TEST_CASE("a loss of nothing is no loss") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::LossRow{"dropped-records", 0, std::nullopt});
          }).empty());
}

TEST_CASE("a trace that could not be written says so even if no record is known to be missing") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::LossRow{"write-error", 0, "disk full"});
          }) == Rows{"error write-error 0"});
}

TEST_CASE("records of an unknown kind are a warning: they may not matter") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::LossRow{"unknown-kind", 3, "kind 58"});
          }) == Rows{"warning unknown-kind 3"});
}

TEST_CASE("another CUPTI client that took records away is an error") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::LossRow{"foreign-buffers", 2, std::nullopt});
          }) == Rows{"error foreign-buffers 2"});
}

TEST_CASE("ranges that were opened before the recording are worth a remark") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::LossRow{"unmatched-range-ends", 1, std::nullopt});
          }) == Rows{"info unmatched-range-ends 1"});
}

TEST_CASE("ops whose calls are missing are worth a remark where there are calls") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::ApiCallRow{.start = 0, .end = 1, .correlationId = 5});
          }) == Rows{"info unissued-ops 1"});
}

// Returns a launch on thread 1. Adds the function's name to StringIds.
schema::ApiCallRow launch(TraceWriter& trace, std::int64_t start, std::int64_t correlation) {
  schema::ApiCallRow call;
  call.start = start;
  call.end = start + 10;
  call.globalTid = 1;
  call.correlationId = correlation;
  call.nameId = trace.intern("cudaLaunchKernel_v7000");
  return call;
}

void tell_of_graphs(TraceWriter& trace) {
  trace.insert(schema::RecordsRow{-4, "GRAPH_NODES", 0, std::nullopt, 0, 0});
}

//   calls   [launch 1][launch 2][launch 3]
//   GPU            [kernel 1]   [kernel 3]      the kernel of launch 2 is missing
TEST_CASE("a launch whose kernel is missing is an error", "[health]") {
  const auto with_lost_kernel = [](const std::function<void(TraceWriter&)>& also) {
    return health_with([&also](TraceWriter& trace) {
      for (const std::int64_t correlation : {1, 2, 3}) {
        trace.insert(launch(trace, 100 * correlation, correlation));
      }
      for (const std::int64_t correlation : {1, 3}) {
        schema::KernelRow kernel = test::kernel(100 * correlation + 50, 100 * correlation + 90);
        kernel.correlationId = correlation;
        trace.insert(kernel);
      }
      also(trace);
    });
  };
  // Each of these traces also has a kernel without a call.
  REQUIRE(with_lost_kernel(tell_of_graphs) ==
          Rows{"info unissued-ops 1", "error orphan-launches 1"});
  SECTION("whether or not the making of graphs was listened to") {
    REQUIRE(with_lost_kernel([](TraceWriter&) {}) ==
            Rows{"info unissued-ops 1", "error orphan-launches 1"});
  }
  SECTION("of a recording that was cut off, too: 3, which was called later, is there") {
    REQUIRE(with_lost_kernel([](TraceWriter& trace) {
              tell_of_graphs(trace);
              trace.set_fact("recording", "cut-off");
            }) == Rows{"warning cut-off 1", "info unissued-ops 1", "error orphan-launches 1"});
  }
  SECTION("unless it is among the last, which are always missing then") {
    REQUIRE(with_lost_kernel([](TraceWriter& trace) {
              tell_of_graphs(trace);
              trace.set_fact("recording", "cut-off");
              trace.insert(launch(trace, 400, 4));
              trace.database().execute(
                  "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE correlationId = 3");
            }) == Rows{"warning cut-off 1", "info unissued-ops 1"});
  }
}

TEST_CASE("a launch that failed or was captured into a graph has no kernel to miss", "[health]") {
  REQUIRE(health_with([](TraceWriter& trace) {
            tell_of_graphs(trace);
            schema::ApiCallRow failed = launch(trace, 100, 1);
            failed.returnValue = 1;
            trace.insert(failed);
            trace.insert(launch(trace, 200, 2));
            schema::GraphNodeRow node;
            node.start = 205;
            node.globalTid = 1;
            trace.insert(node);
          }) == Rows{"error failed-calls 1", "info unissued-ops 1"});
}

//   GPU       [kernel]                  [kernel]       from 0 to 1000 ns
//   CUPTI         [flush 30][flush 20]          [after the last kernel]
TEST_CASE("tracing that held the program up is a remark, or a warning", "[health]") {
  const auto held_for = [](std::int64_t ns) {
    return health_with([ns](TraceWriter& trace) {
      trace.insert(test::kernel(900, 1000));
      for (const std::int64_t start : {std::int64_t{200}, 200 + ns / 2, std::int64_t{2000}}) {
        schema::OverheadRow overhead;
        overhead.start = start;
        overhead.end = start + ns - ns / 2;
        overhead.overheadType = 3;  // flush of a buffer
        trace.insert(overhead);
      }
      schema::OverheadRow loading;
      loading.start = 10;
      loading.end = 890;
      loading.overheadType = 7;  // lazy loading belongs to the program itself
      trace.insert(loading);
    });
  };
  REQUIRE(held_for(8).empty());
  REQUIRE(held_for(50) == Rows{"info tracing-overhead 1"});
  REQUIRE(held_for(200) == Rows{"warning tracing-overhead 1"});
}

TEST_CASE("a refused kind weighs as much as the work it hides") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::RecordsRow{10, "CONCURRENT_KERNEL", 15, 216, 0, 0});
            trace.insert(schema::RecordsRow{17, "OVERHEAD", 21, 56, 0, 0});
            trace.insert(schema::RecordsRow{1, "MEMCPY", 0, 96, 0, 0});
            trace.insert(schema::RecordsRow{40, "NVLINK", 27, 136, 0, 0});
          }) == Rows{"error kind-refused 1", "info kind-refused 1", "warning kind-refused 1"});
}

TEST_CASE("a kind that was not asked for is worth a remark") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::RecordsRow{13, "MARKER", std::nullopt, 56, 0, 0});
            trace.insert(schema::RecordsRow{17, "OVERHEAD", 0, 56, 0, 0});
          }) == Rows{"info kind-left-out 1"});
}

TEST_CASE("what is inside of graphs that were recorded as a whole is not known") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::GraphTraceRow{});
            trace.insert(schema::GraphTraceRow{});
          }) == Rows{"error graphs-not-traced 2"});
}

TEST_CASE("a collector that could not record says why") {
  REQUIRE(health_with([](TraceWriter& trace) { trace.set_fact("problem", "no libcupti"); }) ==
          Rows{"error not-recorded 1"});
}

TEST_CASE("a clock that was set during the recording is found") {
  const auto with_step = [](std::int64_t step) {
    return health_with([step](TraceWriter& trace) {
      trace.insert(schema::ClockRow{"start", 1'000'000'000, 50'000'000, 0, 0});
      trace.insert(schema::ClockRow{"period", 1'200'000'000 + step, 250'000'000, 0, 0});
      trace.insert(schema::ClockRow{"end", 1'400'000'000 + step, 450'000'000, 0, 0});
    });
  };
  REQUIRE(with_step(0).empty());
  REQUIRE(with_step(900'000).empty());  // the clock is slewed, not set
  REQUIRE(with_step(3'000'000) == Rows{"error clock-step 1"});
  REQUIRE(with_step(-3'000'000) == Rows{"error clock-step 1"});
}

TEST_CASE("a trace of a part of the run says so") {
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.insert(schema::StretchRow{0, 100, "cudaProfilerStart", "cudaProfilerStop"});
          }) == Rows{"info captured-part 1"});
}

TEST_CASE("a capture that never began is no result") {
  REQUIRE(health_with([](TraceWriter& trace) { trace.replace_all<schema::StretchRow>({}); }) ==
          Rows{"error nothing-captured 1"});
  // These markers arrived and were left out as intended.
  REQUIRE(health_with([](TraceWriter& trace) {
            trace.replace_all<schema::StretchRow>({});
            trace.insert(schema::RecordsRow{13, "MARKER", 0, 56, 2, 0});
          }) == Rows{"error nothing-captured 1"});
}

TEST_CASE("what is known to be wrong with a release of CUPTI is told") {
  const auto with_cupti = [](const char* version) {
    return health_with([=](TraceWriter& trace) { trace.set_fact("cupti-version", version); });
  };
  REQUIRE(with_cupti("130001").empty());
  REQUIRE(with_cupti("130200") == Rows{"warning cupti-defect 1"});
  REQUIRE(with_cupti("130300").empty());
  REQUIRE(with_cupti("20") == Rows{"info cupti-defect 1"});
  REQUIRE(with_cupti("21").empty());
  REQUIRE(with_cupti("newest").empty());
}

}  // namespace
}  // namespace lapscope::analyzer
