#include <algorithm>

#include "collector/schema/capture_facts.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using schema::RunRow;
using test::read_written;
using trace::TraceWriter;

Trace trace_with(const std::function<void(TraceWriter&)>& fill) {
  return read_written([&fill](TraceWriter& trace) {
    trace.insert(test::kernel(0, 1));
    fill(trace);
  });
}

TEST_CASE("runs that were made in turn are read, the program and its ranges") {
  const Trace read = trace_with([](TraceWriter& trace) {
    trace.insert(RunRow{1, 1, 0, std::nullopt, 1, 900});
    trace.insert(RunRow{1, 1, 0, "step", 3, 90});
    trace.insert(RunRow{2, 0, 4, std::nullopt, 1, 800});
    trace.insert(RunRow{2, 0, 4, "step", 3, -1});  // without a time
  });
  REQUIRE(read.runs.size() == 3);
  CHECK(read.runs[0].is_recorded);
  CHECK_FALSE(read.runs[0].range.has_value());
  CHECK(read.runs[1].range == "step");
  CHECK(read.runs[1].count == 3);
  CHECK(read.runs[1].ns == 90);
  CHECK_FALSE(read.runs[2].is_recorded);
  CHECK(read.runs[2].exit_status == 4);
  CHECK(trace_with([](TraceWriter&) {}).runs.empty());
}

TEST_CASE("what recording adds to calls is read, and never less than nothing") {
  const Trace read = trace_with([](TraceWriter& trace) {
    trace.insert(schema::CallCostRow{"launch", 2'000, 3'351, 100, "2026-11-22T14:00:00Z"});
    trace.insert(schema::CallCostRow{"query", 300, 290, -7, "2026-11-22T14:00:00Z"});
    trace.insert(schema::CallCostRow{"memset", -5, 290, 0, "<script>"});
  });
  CHECK(read.call_costs.created == "2026-11-22T14:00:00Z");
  CHECK(read.call_costs.of("launch") == 1'351);
  CHECK(read.call_costs.of("query") == 0);
  CHECK(read.call_costs.of("memset") == 0);
  CHECK(read.call_costs.of("copy-async") == 0);
  CHECK(read.call_costs.spread_ns.at("launch") == 100);
  CHECK(read.call_costs.spread_ns.at("query") == 0);
  CHECK(trace_with([](TraceWriter&) {}).call_costs.empty());
}

TEST_CASE("a trace says why nobody calibrated") {
  const Trace read = trace_with([](TraceWriter& trace) {
    trace.set_fact(schema::fact::not_calibrated, "there is no folder for it.");
  });
  const auto row = std::find_if(read.health.begin(), read.health.end(), [](const HealthRow& one) {
    return code_of(one) == "not-calibrated";
  });
  REQUIRE(row != read.health.end());
  CHECK(severity_of(*row) == Severity::info);
  CHECK(row->details == Details{"there is no folder for it."});
}

TEST_CASE("a light recording says that the host is not known") {
  const auto says_so = [](std::string_view calls) {
    const Trace read = trace_with(
        [calls](TraceWriter& trace) { trace.set_fact(schema::fact::calls, std::string(calls)); });
    return std::any_of(read.health.begin(), read.health.end(),
                       [](const HealthRow& row) { return row.kind == HealthKind::calls_left_out; });
  };
  CHECK(says_so(schema::recorded_calls::issuing));
  CHECK_FALSE(says_so(schema::recorded_calls::usual));
  CHECK_FALSE(says_so(schema::recorded_calls::all));
}

}  // namespace
}  // namespace lapscope::analyzer
