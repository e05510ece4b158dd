#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

namespace lapscope::inject {
namespace {

using test::RecordedRun;

RecordedRun captured(const std::vector<std::string>& steps, std::vector<std::string> options) {
  return RecordedRun(steps, {.options = std::move(options)});
}

TEST_CASE("what runs before the delay is over is not in the trace", "[end-to-end]") {
  const RecordedRun run = captured({"init", "work=5", "committed", "exit=0"}, {"--delay", "1000"});
  CHECK(run.exit_status() == 0);
  CHECK(run.says("0 ops in "));
  CHECK(run.fact("recording") == "complete");
  const auto stretches = run.rows<schema::StretchRow>();
  REQUIRE(stretches.size() == 1);
  CHECK(stretches[0].start == 1'000'000'000'000);
  CHECK(stretches[0].begunBy == "delay");
}

TEST_CASE("a trace of enough bytes ends the capture, not the program", "[end-to-end]") {
  const RecordedRun run = captured({"init", "work=5", "committed", "work=5", "committed", "exit=3"},
                                   {"--max-size", "1"});
  CHECK(run.exit_status() == 3);
  CHECK(run.ops() == 10);
  const auto stretches = run.rows<schema::StretchRow>();
  REQUIRE(stretches.size() == 1);
  CHECK(stretches[0].start == 0);
  CHECK(stretches[0].end.has_value());
  CHECK(stretches[0].endedBy == "size of the trace");
}

TEST_CASE("what callbacks tell is captured for the duration", "[end-to-end]") {
  SECTION("within") {
    const RecordedRun run =
        captured({"init", "work=5", "host-function=7", "exit=0"}, {"--duration", "1000"});
    CHECK(run.ops() == 10);
    CHECK(run.rows<schema::HostFuncRow>().size() == 1);
  }
  SECTION("before it begins") {
    const RecordedRun run =
        captured({"init", "work=5", "host-function=7", "exit=0"}, {"--delay", "1000"});
    CHECK_FALSE(run.trace().has_table("LAPSCOPE_HOST_FUNCS"));
    CHECK(run.trace().query_int64(
              "SELECT outside FROM LAPSCOPE_RECORDS WHERE name = 'HOST_FUNCS'") == 1);
  }
}

TEST_CASE("a range that never comes leaves a trace that says so", "[end-to-end]") {
  for (const char* range : {"nvtx:no such range", "cudaProfilerApi"}) {
    INFO(range);
    const RecordedRun run = captured({"init", "work=5", "exit=0"}, {"--capture-range", range});
    CHECK(run.says("0 ops in "));
    CHECK(run.fact("recording") == "complete");
    CHECK(run.trace().has_table("LAPSCOPE_STRETCHES"));
    CHECK(run.rows<schema::StretchRow>().empty());
  }
}

TEST_CASE("all of a run is captured unless a part is asked for", "[end-to-end]") {
  const RecordedRun run = captured({"init", "work=5", "exit=0"}, {});
  CHECK(run.ops() == 10);
  CHECK_FALSE(run.trace().has_table("LAPSCOPE_STRETCHES"));
}

}  // namespace
}  // namespace lapscope::inject
