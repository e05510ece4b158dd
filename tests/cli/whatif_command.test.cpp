#include <cstdlib>

#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

using nlohmann::json;

const std::string pipeline = LAPSCOPE_TEST_TRACES "/pipeline-broken.sqlite";

json scope_of(std::vector<std::string> options) {
  std::vector<std::string> arguments = {"whatif",   pipeline,   "--range",
                                        "pipeline", "--format", "json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const CommandResult result = run_lapscope(arguments);
  REQUIRE(result.status == 0);
  return parse_json(result.out)["scopes"].at(0);
}

TEST_CASE("a prediction stands in its band") {
  const json predicted = scope_of({"--fix", "stream-order"})["predicted"];
  const json& band = predicted["error_band"];
  REQUIRE(band["low_ns"] < predicted["wall_ns"]);
  REQUIRE(predicted["wall_ns"] < band["high_ns"]);
  REQUIRE(band["fixes"] == "device");
  REQUIRE(band["programs"] >= 19);
  REQUIRE(band["median_error"] < band["error"]);
  REQUIRE(predicted["certainty"] == "measured");
  REQUIRE(predicted["not_validated_for"] == nullptr);
}

TEST_CASE("a prediction of what no program was recorded with has no band, and says so") {
  const json predicted = scope_of({"--scale", "h2d=2"})["predicted"];
  REQUIRE(predicted["error_band"] == nullptr);
  REQUIRE(predicted["not_validated_for"] == "a faster engine");
  REQUIRE(predicted["certainty"] == "unknown");
  const CommandResult text =
      run_lapscope({"whatif", pipeline, "--range", "pipeline", "--scale", "h2d=2"});
  REQUIRE(text.out.find("How far it may miss is unknown for a faster engine.") !=
          std::string::npos);
}

TEST_CASE("a fix that makes the program slower saves nothing") {
  const CommandResult text = run_lapscope(
      {"whatif", "--no-config", LAPSCOPE_TEST_TRACES "/cublas-default-stream-fixed.sqlite", "--fix",
       "alloc-free"});
  CHECK(text.out.find(" longer") != std::string::npos);
  CHECK(text.out.find("saves nothing") != std::string::npos);
  CHECK(text.out.find("saves -") == std::string::npos);
}

TEST_CASE("what a band rests on stands beside it") {
  const CommandResult text =
      run_lapscope({"whatif", pipeline, "--range", "pipeline", "--fix", "stream-order"});
  REQUIRE(text.out.find("programs that the model was not made with") != std::string::npos);
  REQUIRE(text.out.find("copy_hidden") != std::string::npos);
}

TEST_CASE("without a fix, those of a trace are listed with what each would save, most first") {
  const std::string trace = LAPSCOPE_TEST_TRACES "/frameworks/read_loss.sqlite";
  const CommandResult result = run_lapscope({"whatif", trace});
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("device 0 (NVIDIA H200), steady state: "));
  const std::size_t first = result.out.find("\n  host-compute     saves ");
  const std::size_t second = result.out.find("\n  launch-overhead  saves ");
  const std::size_t rest = result.out.find("\n  No saving: ");
  CHECK(first < second);
  CHECK(second < rest);
  REQUIRE(rest != std::string::npos);
  CHECK(result.out.find("queue-alias", rest) != std::string::npos);
  CHECK(result.out.find("host-compute", rest) == std::string::npos);
  CHECK(run_lapscope({"whatif", "--list", trace}).out == result.out);
  CHECK(run_lapscope({"whatif", "/none.sqlite"}).status == 4);
  CHECK(run_lapscope({"whatif", trace, "--format", "json"}).status == 2);
  CHECK(run_lapscope({"whatif"}).status == 2);
}

TEST_CASE("a list of fixes is inconclusive where analyze is, and says why") {
  for (const char* name : {"graph", "killed"}) {
    const std::string trace = std::string(LAPSCOPE_TEST_TRACES "/oddities/") + name + ".sqlite";
    const CommandResult result = run_lapscope({"whatif", trace});
    CHECK(result.status == 3);
    CHECK(result.out.find("\n  Inconclusive: no cause explains ") != std::string::npos);
  }
}

TEST_CASE("no fixes are listed for a range that is not there, and the reason is said") {
  const CommandResult result = run_lapscope({"whatif", pipeline, "--range", "nosuch"});
  CHECK(result.status == 3);
  CHECK(result.out.empty());
  CHECK(result.err.find("No NVTX range that fits 'nosuch'") != std::string::npos);
  const CommandResult both =
      run_lapscope({"whatif", pipeline, "--range", "pipeline", "--window", "0", "5"});
  CHECK(both.status == 2);
  CHECK(both.err.find("--window") != std::string::npos);
}

TEST_CASE("of a device without the range that was asked for, no fixes are listed") {
  const std::string trace = LAPSCOPE_TEST_TRACES "/multi-gpu-fan-out-broken.sqlite";
  const std::string out = run_lapscope({"whatif", trace, "--range", "tile 0"}).out;
  CHECK(out.starts_with("range 'tile 0' of device 0"));
  CHECK(out.find("device 1") == std::string::npos);
}

TEST_CASE("a list of fixes that cannot be written is status 4") {
  const std::string command =
      "'" LAPSCOPE_COMMAND "' whatif '" + pipeline + "' > /dev/full 2> /dev/null";
  const int status = std::system(command.c_str());
  CHECK(WEXITSTATUS(status) == 4);
}

TEST_CASE("fixes are listed for the scope that was asked for") {
  const auto title_of = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"whatif", pipeline});
    const std::string out = run_lapscope(options).out;
    return out.substr(0, out.find(": "));
  };
  CHECK(title_of({"--whole"}) == "device 0 (NVIDIA H200)");
  CHECK(title_of({"--range", "pipeline"}).starts_with("range 'pipeline' of device 0"));
}

TEST_CASE("what is changed is told with its number, and what numbers mean is listed") {
  const CommandResult result =
      run_lapscope({"whatif", pipeline, "--format", "json", "--fix", "host-sync:2"});
  const std::string change = parse_json(result.out)["changes"].at(0);
  REQUIRE(change.find("N = 2: instead, each wait") != std::string::npos);
  REQUIRE(run_lapscope({"whatif", "--list"}).out.find("instead, each wait") != std::string::npos);
}

TEST_CASE("what stands in for examples that the trace lacks is named, as analyze names it") {
  const json assumed = scope_of({"--fix", "stream-order"})["assumed"];
  REQUIRE(assumed.is_array());
  const CommandResult text =
      run_lapscope({"whatif", pipeline, "--range", "pipeline", "--fix", "stream-order"});
  const bool is_said = text.out.find("Assumed, not measured in this trace") != std::string::npos;
  CHECK(is_said == !assumed.empty());
  for (const json& name : assumed) {
    CHECK(text.out.find(name.get<std::string>()) != std::string::npos);
  }
}

TEST_CASE("ratios are told before and after") {
  const json ratios = scope_of({"--fix", "stream-order"})["ratios"];
  REQUIRE(ratios.size() == 4);
  REQUIRE(ratios["copy_hidden"]["predicted"] > ratios["copy_hidden"]["recorded"]);
}

// In this program, CUDA loads kernels before the first op. Without this loading, the first op
// starts earlier. The wall time begins with the first op, so it is longer without the loading.
TEST_CASE("whatif says if a fix makes the wall time longer by an earlier first op") {
  const std::string trace = LAPSCOPE_TEST_TRACES "/nccl-all-reduce-broken.sqlite";
  const CommandResult text = run_lapscope({"whatif", trace, "--whole", "--fix", "module-load"});
  CHECK(text.out.find("ms earlier, which makes the wall time longer.") != std::string::npos);
  const CommandResult result =
      run_lapscope({"whatif", trace, "--whole", "--fix", "module-load", "--format", "json"});
  const json predicted = parse_json(result.out)["scopes"][0]["predicted"];
  CHECK(predicted["begins_earlier_ns"] > 300'000'000);
}

TEST_CASE("what else is found is told from the least saving on that is asked for") {
  const auto findings = [](const std::string& percent) {
    return scope_of({"--fix", "host-sync", "--min-saving", percent})["findings"];
  };
  const json found = findings("0");
  REQUIRE_FALSE(found.empty());
  REQUIRE(findings("100").empty());
  const auto in_us = [](const std::string& us) {
    return scope_of({"--fix", "host-sync", "--min-saving", "0", "--min-saving-us", us})["findings"];
  };
  REQUIRE(in_us("0").size() >= found.size());
  REQUIRE(in_us("1000000").empty());
  for (const char* option : {"--min-saving", "--min-saving-us"}) {
    for (const char* value : {"nan", "-1", "inf"}) {
      REQUIRE(run_lapscope({"whatif", pipeline, "--fix", "host-sync", option, value}).status == 2);
    }
  }
  REQUIRE(run_lapscope({"whatif", pipeline, "--fix", "host-sync", "--min-saving", "x"}).status ==
          2);
}

// Nothing is recorded between the two kernels, which have no calls.
TEST_CASE("what the model does not account for is inconclusive, and the exit status says so") {
  const TemporaryFolder folder;
  const std::string file = folder / "t.sqlite";
  write_trace(file, [](trace::TraceWriter& trace) {
    trace.insert(kernel(0, 100'000));
    trace.insert(kernel(9'000'000, 9'100'000));
  });
  const CommandResult analyzed = run_lapscope({"analyze", "--format", "json", file});
  CHECK(analyzed.status == 3);
  const json report = parse_json(analyzed.out);
  CHECK(report["verdict"] == "inconclusive");
  CHECK(report["devices"][0]["conclusive"] == false);
  CHECK(report["devices"][0]["unexplained_share"] > 0.9);
  for (const json& advice : report["devices"][0]["advice"]) {
    CHECK(advice["step"] != "independent-work");
  }
  CHECK(run_lapscope({"analyze", "--no-causes", file}).status == 0);
  CHECK(run_lapscope({"report", file, "--format", "html", "-o", folder / "t.html"}).status == 3);
  const CommandResult told = run_lapscope({"whatif", file, "--scale", "compute=2"});
  CHECK(told.status == 3);
  CHECK(told.out.find("Inconclusive") != std::string::npos);
}

}  // namespace
}  // namespace lapscope::test
