#include <nlohmann/json.hpp>

#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"

// What `analyze` can be asked to judge besides the whole trace. The recorded pipeline has 24 tiles,
// each in an NVTX range of its own, between cudaProfilerStart and cudaProfilerStop.
namespace lapscope::test {
namespace {

using nlohmann::json;

const std::string overlapped = LAPSCOPE_TEST_TRACES "/stream_pipeline-overlapped.sqlite";

json device_of(std::vector<std::string> options) {
  std::vector<std::string> arguments = {"analyze", "--format", "json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(overlapped);
  const CommandResult result = run_lapscope(arguments);
  REQUIRE(result.status == 0);
  return json::parse(result.out)["devices"][0];
}

TEST_CASE("work between cudaProfilerStart and cudaProfilerStop is judged on request") {
  const json ranges = device_of({"--profiler-brackets"})["ranges"];
  REQUIRE(ranges.size() == 1);
  REQUIRE(ranges[0]["kind"] == "profiler");
  REQUIRE(ranges[0]["instances"] == 1);
  REQUIRE(ranges[0]["ops"] == 24 * 4);  // without the calibration, which comes before
}

TEST_CASE("brackets that the program does not set are inconclusive") {
  const TemporaryFolder folder;
  write_trace(folder / "t.sqlite", [](trace::TraceWriter& trace) { trace.insert(kernel(0, 10)); });
  const CommandResult result =
      run_lapscope({"analyze", "--profiler-brackets", folder / "t.sqlite"});
  REQUIRE(result.status == 3);
  REQUIRE(result.out.find("cudaProfilerStart") != std::string::npos);
}

TEST_CASE("a series measures equal stretches that fill the window") {
  const json device = device_of({"--series", "7"});
  const json& series = device["series"];
  REQUIRE(series.size() == 7);
  REQUIRE(series.front()["start"] == device["window"]["start"]);
  REQUIRE(series.back()["end"] == device["window"]["end"]);
  std::int64_t busy = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (i > 0) REQUIRE(series[i]["start"] == series[i - 1]["end"]);
    busy += series[i]["measures"]["busy"].get<std::int64_t>();
  }
  REQUIRE(busy == device["measures"]["busy"]["value"]);
  REQUIRE(device_of({})["series"].empty());
}

TEST_CASE("the iterations of a loop are found, or taken as named") {
  const json found = device_of({})["iterations"];
  REQUIRE(found["source"] == "NVTX range 'tile *'");
  REQUIRE(found["count"] == 24);
  REQUIRE(found["ops_per_iteration"] == 4);
  REQUIRE(found["steady"]["wall"]["iterations"] == 22);
  // The busiest engine needs 0.33 ms a tile.
  REQUIRE(found["steady"]["wall"]["median"] > 300'000);
  REQUIRE(found["steady"]["wall"]["median"] < 400'000);
  REQUIRE(device_of({"--iterations", "tile 1*"})["iterations"]["count"] == 11);
}

TEST_CASE("iterations that are not there are inconclusive") {
  const CommandResult result = run_lapscope({"analyze", "--iterations", "none *", overlapped});
  REQUIRE(result.status == 3);
  REQUIRE(result.out.find("'none *'") != std::string::npos);
}

TEST_CASE("which kernels communicate can be said") {
  REQUIRE(device_of({})["collectives"].empty());
  const json collectives = device_of({"--comm", "stamp*"})["collectives"];
  REQUIRE(collectives.size() == 1);
  REQUIRE(collectives[0]["name"] == "stamp_tile");
  REQUIRE(collectives[0]["ops"] == 24);
}

TEST_CASE("an option takes one value, so that several files can follow") {
  const CommandResult result =
      run_lapscope({"analyze", "--format", "json", "--range", "pipeline", overlapped, overlapped});
  REQUIRE(result.status == 0);
  REQUIRE(json::parse(result.out).size() == 2);
}

TEST_CASE("a series of no or too many stretches is status 2") {
  REQUIRE(run_lapscope({"analyze", "--series", "0", overlapped}).status == 2);
  REQUIRE(run_lapscope({"analyze", "--series", "x", overlapped}).status == 2);
  REQUIRE(run_lapscope({"analyze", "--series", "100000000", overlapped}).status == 2);
}

}  // namespace
}  // namespace lapscope::test
