#include "analyzer/reader/read_trace.h"
#include "collector/schema/capture_facts.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using schema::RunRow;
using test::TemporaryFolder;
using trace::TraceWriter;

Trace trace_with(const std::function<void(TraceWriter&)>& fill) {
  const TemporaryFolder folder;
  test::write_trace(folder / "t.sqlite", [&fill](TraceWriter& trace) {
    trace.insert(test::kernel(0, 1));
    fill(trace);
  });
  return read_trace(folder / "t.sqlite");
}

TEST_CASE("runs that were made in turn are read, the program and its ranges") {
  const Trace read = trace_with([](TraceWriter& trace) {
    trace.insert(RunRow{1, 1, 0, std::nullopt, 1, 900});
    trace.insert(RunRow{1, 1, 0, "step", 3, 90});
    trace.insert(RunRow{2, 0, 4, std::nullopt, 1, 800});
    trace.insert(RunRow{2, 0, 4, "step", 3, -1});  // no time
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

TEST_CASE("a light recording says that the host is not known") {
  const auto says_so = [](std::string_view calls) {
    const Trace read = trace_with(
        [calls](TraceWriter& trace) { trace.set_fact(schema::fact::calls, std::string(calls)); });
    for (const HealthRow& row : read.health) {
      if (row.remedy.find("--light") != std::string::npos) return true;
    }
    return false;
  };
  CHECK(says_so(schema::recorded_calls::issuing));
  CHECK_FALSE(says_so(schema::recorded_calls::usual));
  CHECK_FALSE(says_so(schema::recorded_calls::all));
}

}  // namespace
}  // namespace lapscope::analyzer
