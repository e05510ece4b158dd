#include <unistd.h>

#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

namespace lapscope::inject {
namespace {

namespace fs = std::filesystem;
using test::RecordedRun;

TEST_CASE("a trace says how it came about", "[end-to-end]") {
  const RecordedRun run({"say=it's a test", "init", "work=1", "exit=0"});
  const std::string program = LAPSCOPE_FAKE_CUDA_PROGRAM;
  CHECK(run.fact("command") == program + " 'say=it'\\''s a test' init work=1 exit=0");
  CHECK(run.fact("record-options") == "");
  CHECK(run.fact("executable") == fs::canonical(program).string());
  CHECK(run.fact("flush-period-ms") == "10");
  CHECK(run.fact("cupti-library") == LAPSCOPE_FAKE_CUPTI);
  CHECK(run.fact("tool-version").has_value());
  CHECK(run.fact("session").value_or("").size() == 16);
  CHECK(std::stoll(run.fact("elapsed-ns").value_or("0")) > 0);
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  CHECK(run.fact("host") == host);
  CHECK(run.fact("created").value_or("").ends_with("Z"));
  // The trace has this row on machines without a driver, too.
  CHECK(run.trace().query_int64(
            "SELECT count(*) FROM LAPSCOPE_CAPTURE WHERE name = 'driver-version'") == 1);
}

TEST_CASE("a trace says with what options it was recorded", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "exit=0"},
                        {.options = {"--no-events", "--max-size", "5000000", "--duration", "20"}});
  CHECK(run.fact("record-options").value_or("") ==
        "--no-events --duration 20.000 --max-size 5000000");
}

TEST_CASE("the environment is kept out of the trace but for the list", "[end-to-end]") {
  const RecordedRun run(
      {"init", "work=1", "exit=0"},
      {.environment = {{"CUDA_LAUNCH_BLOCKING", "1"}, {"SOME_SERVICE_TOKEN", "not-for-traces"}},
       .cupti = LAPSCOPE_FAKE_CUPTI,
       .output = "t.sqlite"});
  bool found = false;
  for (const auto& row : run.rows<schema::EnvironmentRow>()) {
    found = found || (row.name == "CUDA_LAUNCH_BLOCKING" && row.value == "1");
  }
  CHECK(found);
  const std::string bytes = test::read_file(run.folder() / "t.sqlite");
  CHECK(bytes.find("SOME_SERVICE_TOKEN") == std::string::npos);
  CHECK(bytes.find("not-for-traces") == std::string::npos);
}

TEST_CASE("the clocks are read together at the start and the end", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "committed", "work=1", "exit=0"});
  const auto clocks = run.rows<schema::ClockRow>();
  REQUIRE(clocks.size() >= 3);
  CHECK(clocks.front().label == "start");
  CHECK(clocks.back().label == "end");
  CHECK(clocks.front().monotonic < clocks.back().monotonic);
  const auto start = run.rows<schema::SessionStartRow>();
  REQUIRE(start.size() == 1);
  // The start of the session is stored by both clocks. Their difference is the same as at the first
  // reading of the clocks.
  REQUIRE((start[0].utcEpochNs && start[0].systemClockNs));
  CHECK(*start[0].utcEpochNs - *start[0].systemClockNs ==
        clocks.front().realtime - clocks.front().monotonic);
}

TEST_CASE("the thread that calls CUDA is named and the collector's own is not listed",
          "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "committed", "exit=0"});
  const auto threads = run.rows<schema::ThreadNameRow>();
  REQUIRE(threads.size() == 1);
  // Linux keeps 15 characters of the name fake_cuda_program.
  CHECK(run.trace().query_text("SELECT value FROM StringIds JOIN ThreadNames ON id = nameId") ==
        "fake_cuda_progr");
}

TEST_CASE("a kind that libcupti refuses is noted and the rest is recorded", "[end-to-end]") {
  const RecordedRun run({"init", "work=3", "exit=0"},
                        {.environment = {{"FAKE_CUPTI_REFUSED_KIND", "1"}},  // MEMCPY
                         .cupti = LAPSCOPE_FAKE_CUPTI,
                         .output = "t.sqlite"});
  CHECK(run.rows<schema::KernelRow>().size() == 3);
  CHECK(run.rows<schema::MemcpyRow>().empty());
  CHECK(run.trace().query_int64(
            "SELECT enableResult FROM LAPSCOPE_RECORDS WHERE name = 'MEMCPY'") == 21);
  CHECK(run.trace().query_int64(
            "SELECT enableResult FROM LAPSCOPE_RECORDS WHERE name = 'MEMSET'") == 0);
}

RecordedRun::Options asking_for(const std::vector<std::string>& options) {
  return {
      .environment = {}, .cupti = LAPSCOPE_FAKE_CUPTI, .output = "t.sqlite", .options = options};
}

TEST_CASE("what is left out is not enabled and the trace says so", "[end-to-end]") {
  const RecordedRun run({"init", "nvtx", "work=3", "host-function=13"},
                        asking_for({"--no-nvtx", "--no-callbacks"}));
  CHECK(run.rows<schema::KernelRow>().size() == 3);
  CHECK_FALSE(run.trace().has_table("NVTX_EVENTS"));
  CHECK_FALSE(run.trace().has_table("LAPSCOPE_HOST_FUNCS"));
  CHECK(run.trace().query_int64("SELECT count(*) FROM LAPSCOPE_RECORDS WHERE name = 'MARKER' AND "
                                "enableResult IS NULL") == 1);
}

TEST_CASE("what must be asked for is enabled when it was", "[end-to-end]") {
  const auto enabled = [](const RecordedRun& run) {
    return run.trace().query_int64(
        "SELECT count(*) FROM LAPSCOPE_RECORDS WHERE enableResult = 0 AND "
        "name IN ('GRAPH_TRACE', 'UNIFIED_MEMORY_COUNTER')");
  };
  CHECK(enabled(RecordedRun({"init", "work=1"})) == 0);
  CHECK(enabled(RecordedRun({"init", "work=1"},
                            asking_for({"--graph-level", "--unified-memory", "--latency"}))) == 2);
}

}  // namespace
}  // namespace lapscope::inject
