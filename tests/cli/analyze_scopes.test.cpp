#include <cmath>
#include <map>
#include <regex>

#include "collector/trace/kernel_name.h"
#include "tests/analyzer/support/export_file.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/support/json.h"

// The scopes of `analyze`: windows, NVTX ranges and profiler brackets. The recorded pipeline has 24
// tiles in profiler brackets, each in its own NVTX range.
namespace lapscope::test {
namespace {

using nlohmann::json;

const std::string overlapped_trace = LAPSCOPE_TEST_TRACES "/stream_pipeline-overlapped.sqlite";

// In this trace, each tile launches a kernel into the legacy default stream.
const std::string serialized = LAPSCOPE_TEST_TRACES "/stream_pipeline-default-stream.sqlite";

json device_of(std::vector<std::string> options) {
  std::vector<std::string> arguments = {"analyze", "--format", "json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(overlapped_trace);
  const CommandResult result = run_lapscope(arguments);
  REQUIRE(result.status == 0);
  return parse_json(result.out)["devices"][0];
}

TEST_CASE("work between cudaProfilerStart and cudaProfilerStop is judged on request") {
  const json ranges = device_of({"--profiler-brackets"})["ranges"];
  REQUIRE(ranges.size() == 1);
  REQUIRE(ranges[0]["kind"] == "profiler");
  REQUIRE(ranges[0]["instances"] == 1);
  REQUIRE(ranges[0]["ops"] == 24 * 4);  // the calibration comes before the range
}

TEST_CASE("where nothing is named the steady state is judged, and the whole is told as before") {
  const json device = device_of({});
  const json whole = device_of({"--whole"});
  REQUIRE(device["steady"]["by"] == "profiler");
  REQUIRE(device["steady"]["ops"] == 24 * 4);
  REQUIRE(device["steady"]["before"]["ns"] > 0);
  REQUIRE(whole["steady"].is_null());
  for (const char* const member : {"window", "ops", "measures", "findings", "blame"}) {
    CHECK(device[member] == whole[member]);
  }
  const json bracket = device_of({"--profiler-brackets"});
  REQUIRE(bracket["steady"].is_null());
  for (const char* const member : {"window", "ops", "measures", "findings", "blame"}) {
    CHECK(device["steady"][member] == bracket["ranges"][0][member]);
  }
  CHECK(device["ranges"].empty());
  CHECK(device_of({"--range", "pipeline"})["steady"].is_null());
  CHECK(device_of({"--iterations", "tile *"})["steady"]["words"] ==
        "iterations of NVTX range 'tile *'");
}

TEST_CASE("the screen names its scope, and what was before it") {
  const auto screen = [](std::vector<std::string> options) {
    std::vector<std::string> arguments = {"analyze", overlapped_trace};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return on_one_line(run_lapscope(arguments).out);
  };
  const auto tells = [](const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
  };
  const std::string steady = screen({});
  CHECK(steady.find(" Profiler brackets: 96 ops on ") != std::string::npos);
  CHECK(tells(steady, "Before it: "));
  CHECK(tells(steady, " 96 ops"));
  const std::string whole = screen({"--whole"});
  CHECK(whole.find(" Whole run: ") != std::string::npos);
  CHECK_FALSE(tells(whole, "Before it: "));
  CHECK(tells(whole, " 99 ops"));
}

TEST_CASE("diff, whatif and gate take the scope that analyze shows and name it; a summary has it") {
  const auto out = [](const std::vector<std::string>& arguments, int status) {
    const CommandResult result = run_lapscope(arguments);
    INFO(result.err);
    CHECK(result.status == status);
    return result.out + result.err;
  };
  const auto tells = [](const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
  };
  const std::string predicted = out({"whatif", serialized, "--fix", "default-stream-barrier"}, 0);
  CHECK(tells(predicted, "device 0 (NVIDIA H200), steady state: cudaProfilerStart/Stop\n"));
  const std::string of_whole =
      out({"whatif", serialized, "--whole", "--fix", "default-stream-barrier"}, 0);
  CHECK(tells(of_whole, "device 0 (NVIDIA H200)\n"));
  const std::string compared = out({"diff", serialized, overlapped_trace}, 0);
  CHECK(tells(compared, "\ndevice 0, steady state\n"));
  CHECK(tells(compared, "\nScope: cudaProfilerStart/Stop (--whole: the whole run).\n"));
  CHECK(tells(out({"diff", "--whole", serialized, overlapped_trace}, 0), "\ndevice 0\n"));
  const std::string gated = out({"gate", overlapped_trace, "--min-overlap", "0.5"}, 0);
  CHECK(tells(gated, "device 0, steady state  min overlap_ratio"));
  CHECK(tells(gated,
              "\n  Scope: work issued between cudaProfilerStart and cudaProfilerStop (--whole:\n"
              "    the whole run).\n"));
  CHECK(gated == out({"gate", overlapped_trace, "--steady", "--min-overlap", "0.5"}, 0));
  const std::string whole = out({"gate", overlapped_trace, "--whole", "--min-overlap", "0.5"}, 0);
  CHECK(tells(whole, "device 0  min overlap_ratio"));
  CHECK(tells(whole, "\n  Scope: the whole run with its set-up.\n"));
  const std::string kept = out({"summarize", overlapped_trace}, 0);
  CHECK(tells(kept, "\"kind\": \"steady\""));
  CHECK(kept == out({"summarize", "--steady", overlapped_trace}, 0));
}

TEST_CASE("a summary of before there was a default scope is read, and says how to go on") {
  const TemporaryFolder folder;
  const std::string old = folder / "old.json";
  const std::string broken = LAPSCOPE_TEST_TRACES "/pipeline-broken.sqlite";
  const std::string fixed = LAPSCOPE_TEST_TRACES "/pipeline-fixed.sqlite";
  REQUIRE(run_lapscope({"summarize", fixed, "--range", "pipeline", "-o", old}).status == 0);
  json summary = parse_json(read_file(old));
  json& device = summary["runs"][0]["devices"][0];
  REQUIRE(device.erase("sought_steady") == 1);
  for (json& scope : device["scopes"]) scope.erase("steady");
  write_file(old, summary.dump());
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"diff", old, broken},
                                             {"gate", broken, "--baseline", old},
                                             {"gate", old, "--max-idle", "1"}}) {
    const CommandResult result = run_lapscope(arguments);
    CHECK(result.status == 3);
    const std::string text = std::regex_replace(result.out, std::regex(R"(\s+)"), " ");
    CHECK(text.find("does not say which scope is its default") != std::string::npos);
  }
  CHECK(run_lapscope({"diff", "--whole", old, broken}).status == 0);
  CHECK(run_lapscope({"diff", "--range", "pipeline", old, broken}).status == 0);
  CHECK(run_lapscope({"gate", "--whole", old, "--max-idle", "1"}).status == 0);
  CHECK(run_lapscope({"gate", "--range", "pipeline", broken, "--baseline", old}).status == 1);
}

// Adds up the `ns` of all rows.
std::int64_t sum_of(const json& rows) {
  std::int64_t sum = 0;
  for (const json& row : rows) sum += row["ns"].get<std::int64_t>();
  return sum;
}

TEST_CASE("a window is explained as the whole is") {
  const json whole = parse_json(
      run_lapscope({"analyze", "--format", "json", serialized}).out)["devices"][0]["window"];
  const std::int64_t quarter =
      (whole["end"].get<std::int64_t>() - whole["start"].get<std::int64_t>()) / 4;
  const auto ms = [](std::int64_t ns) { return std::to_string(static_cast<double>(ns) / 1e6); };
  const json report = parse_json(run_lapscope({"analyze", "--format", "json", "--window",
                                               ms(quarter), ms(3 * quarter), serialized})
                                     .out);
  REQUIRE(report["verdict"] == "findings");
  const json& device = report["devices"][0];
  REQUIRE(device["findings"][0]["code"] == "default-stream-barrier");
  const std::int64_t wall =
      device["window"]["end"].get<std::int64_t>() - device["window"]["start"].get<std::int64_t>();
  REQUIRE(sum_of(device["blame"]) == wall);
  REQUIRE(std::abs(device["replay"]["error"].get<double>()) < 0.01);
  // The window has half of the tiles. The saving is the same share of the wall time as in the whole
  // run.
  REQUIRE(device["findings"][0]["saving_share"] > 0.5);
  REQUIRE(device["critical_path"].front()["start"] == device["window"]["start"]);
  REQUIRE(device["critical_path"].back()["end"] == device["window"]["end"]);
}

TEST_CASE("brackets are explained as ranges are") {
  const json bracket = device_of({"--profiler-brackets", "--path", "3"})["ranges"][0];
  REQUIRE(bracket["findings"].is_array());
  REQUIRE(bracket["critical_path"].size() <= 7);
  REQUIRE(sum_of(bracket["blame"]) == bracket["measures"]["wall"]["value"]);
}

TEST_CASE("a fix is predicted for a window, for brackets, and at one place") {
  const auto predicted = [](std::vector<std::string> options, int status = 0) {
    std::vector<std::string> arguments = {"whatif", serialized, "--format", "json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandResult result = run_lapscope(arguments);
    REQUIRE(result.status == status);
    return parse_json(result.out)["scopes"][0];
  };
  const json bracket = predicted({"--profiler-brackets", "--fix", "default-stream-barrier"});
  REQUIRE(bracket["range"] == "cudaProfilerStart/Stop");
  REQUIRE(bracket["predicted"]["wall_ns"] < bracket["wall_ns"].get<std::int64_t>() / 2);
  // The program ran only for a small part of the 100 s, and the rest is unexplained.
  const json window = predicted({"--window", "0", "100000", "--fix", "default-stream-barrier"}, 3);
  REQUIRE(window["wall_ns"] == 100'000'000'000);
  REQUIRE(window["unexplained_share"] > 0.9);
  const std::string place = "default-stream-barrier:site=stamp_tile*";
  json at_place = predicted({"--profiler-brackets", "--fix", place})["predicted"];
  REQUIRE(at_place["not_validated_for"] == "a fix at one call site");
  json everywhere = bracket["predicted"];
  for (const char* member : {"certainty", "error_band", "not_validated_for"}) {
    at_place.erase(member);
    everywhere.erase(member);
  }
  REQUIRE(at_place == everywhere);
  REQUIRE(
      run_lapscope({"whatif", serialized, "--fix", "default-stream-barrier:site=none"}).status ==
      2);
}

// The program calls cudaDeviceSynchronize after all tiles, so no range of a tile has this call.
TEST_CASE("whatif leaves out ranges without the call site of the fix") {
  const CommandResult result =
      run_lapscope({"whatif", LAPSCOPE_TEST_TRACES "/sync-device-broken.sqlite", "--format", "json",
                    "--range", "*", "--fix", "host-sync:site=cudaDeviceSynchronize*"});
  REQUIRE(result.status == 0);
  const json scopes = parse_json(result.out)["scopes"];
  REQUIRE(scopes.size() == 1);
  REQUIRE(scopes[0]["range"] == "sync-device");
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
  // The busiest engine needs 0.33 ms per tile.
  REQUIRE(found["steady"]["wall"]["median"] > 300'000);
  REQUIRE(found["steady"]["wall"]["median"] < 400'000);
  REQUIRE(device_of({"--iterations", "tile 1*"})["iterations"]["count"] == 11);
}

TEST_CASE("iterations that are not there are inconclusive") {
  const CommandResult result =
      run_lapscope({"analyze", "--iterations", "none *", overlapped_trace});
  REQUIRE(result.status == 3);
  REQUIRE(result.out.find("'none *'") != std::string::npos);
  const CommandResult few = run_lapscope(
      {"analyze", "--iterations", "tile *", "--window", "0", "0.001", overlapped_trace});
  CHECK(few.status == 3);
  CHECK_THAT(on_one_line(few.out), Containing("caused GPU work in this window."));
}

TEST_CASE("which kernels communicate can be said") {
  REQUIRE(device_of({})["collectives"].empty());
  const json collectives = device_of({"--comm", "stamp*"})["collectives"];
  REQUIRE(collectives.size() == 1);
  REQUIRE(collectives[0]["name"] == "stamp_tile");
  REQUIRE(collectives[0]["ops"] == 24);
}

// The names of kernels that run one after the other, each for 1 ms.
const std::vector<std::string> kernels_with_namespaces = {
    "dispatch(int*)",
    "void deep_ep::layout::get_dispatch_layout<256, 4, 2>(long const*, int*)",
    "void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*)",
    "void deep_ep::intranode::dispatch<4, 768, 8192>(int4*, float*)",
    "void deep_ep::intranode::combine<__nv_bfloat16, 8, 768, 4096>(__nv_bfloat16*, float*)",
    "void mine::all::send<float>(float*)"};

// Writes a trace with these kernels in each format. Returns the paths.
std::vector<std::string> traces_with_namespaces(const TemporaryFolder& folder) {
  const std::string own = folder / "own.sqlite";
  const std::string exported = folder / "nsys.sqlite";
  const std::string profile = folder / "kineto.json";
  std::string events;
  ExportFile file(exported, NsysRelease::r2026);
  write_trace(own, [&](trace::TraceWriter& writer) {
    std::int64_t start = 0;
    for (const std::string& name : kernels_with_namespaces) {
      start += 2'000'000;
      schema::KernelRow row = kernel(start, start + 1'000'000);
      row.demangledName = writer.intern(name);
      row.shortName = writer.intern(trace::short_name(name));
      writer.insert(row);
      file.kernel(name, start, start + 1'000'000, 0);
      events += std::string(events.empty() ? "" : ",") +
                R"({"ph": "X", "cat": "kernel", "pid": 0, "tid": 7, "dur": 1000, "name": ")" +
                name + R"(", "ts": )" + std::to_string(start / 1000) +
                R"(, "args": {"device": 0, "stream": 7}})";
    }
  });
  write_file(profile, R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}");
  return {own, exported, profile};
}

TEST_CASE("a kernel communicates by its name with or without namespaces, in each format") {
  const TemporaryFolder folder;
  using Rows = std::map<std::string, int>;  // kernels by name
  for (const std::string& trace : traces_with_namespaces(folder)) {
    INFO(trace);
    const auto communicating = [&](std::vector<std::string> options) {
      std::vector<std::string> arguments = {"analyze", "--format", "json", trace};
      arguments.insert(arguments.end(), options.begin(), options.end());
      const json report = parse_json(run_lapscope(arguments).out);
      Rows rows;
      for (const json& row : report["devices"][0]["collectives"]) rows[row["name"]] = row["ops"];
      return rows;
    };
    CHECK(communicating({}) ==
          Rows{{"deep_ep::intranode::combine", 1}, {"deep_ep::intranode::dispatch", 2}});
    CHECK(communicating({"--comm", "mine::*"}) == Rows{{"mine::all::send", 1}});
    CHECK(communicating({"--comm", "dispatch"}) == Rows{{"dispatch", 3}});
    CHECK(communicating({"--comm", "*deep_ep*", "--comm", "send"}) ==
          Rows{{"deep_ep::intranode::combine", 1},
               {"deep_ep::intranode::dispatch", 2},
               {"deep_ep::layout::get_dispatch_layout", 1},
               {"send", 1}});
  }
}

TEST_CASE("an option takes one value, so that several files can follow") {
  const CommandResult result = run_lapscope(
      {"analyze", "--format", "json", "--range", "pipeline", overlapped_trace, overlapped_trace});
  REQUIRE(result.status == 0);
  REQUIRE(parse_json(result.out).size() == 2);
}

TEST_CASE("a series of no or too many stretches is status 2") {
  REQUIRE(run_lapscope({"analyze", "--series", "0", overlapped_trace}).status == 2);
  REQUIRE(run_lapscope({"analyze", "--series", "x", overlapped_trace}).status == 2);
  REQUIRE(run_lapscope({"analyze", "--series", "100000000", overlapped_trace}).status == 2);
}

TEST_CASE("as many places of a finding are named as are asked for") {
  const auto places = [](const std::string& most) {
    const CommandResult result = run_lapscope({"analyze", "--format", "json", "--places", most,
                                               LAPSCOPE_TEST_TRACES "/sync-memcpy-broken.sqlite"});
    return parse_json(result.out)["devices"][0]["findings"][0]["sites"].size();
  };
  REQUIRE(places("2") == 2);
  REQUIRE(places("100") == 4);
  REQUIRE(run_lapscope({"analyze", "--places", "0", overlapped_trace}).status == 2);
}

}  // namespace
}  // namespace lapscope::test
