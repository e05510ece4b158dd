#include "reports/renderer.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analyzer/analysis/analyze.h"
#include "analyzer/reader/read_trace.h"
#include "tests/catch.h"

// Every renderer over recorded traces, against files that a person has looked at. After a
// wanted change: tests/approve.sh BUILD_DIR, and read the difference.
namespace lapscope::reports {
namespace {

namespace fs = std::filesystem;
using analyzer::Report;

Report recorded(const fs::path& trace) {
  Report report = analyzer::analyze(analyzer::read_trace(trace));
  report.trace.file = trace.filename().string();  // as seen from its folder
  return report;
}

std::string rendered(const Renderer& renderer, const Report& report) {
  std::ostringstream out;
  renderer.render(std::span(&report, 1), out);
  return out.str();
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("recorded traces look as approved in every format") {
  REQUIRE_FALSE(renderers().empty());
  for (const char* name :
       {"stream_pipeline-serial", "stream_pipeline-default-stream", "stream_pipeline-overlapped"}) {
    const fs::path trace = fs::path(LAPSCOPE_TEST_TRACES) / (std::string(name) + ".sqlite");
    for (const Renderer& renderer : renderers()) {
      const fs::path approved = fs::path(LAPSCOPE_SOURCE_DIR) / "tests/reports/approved" /
                                (std::string(name) + "." + std::string(renderer.name));
      INFO(approved);
      CHECK(rendered(renderer, recorded(trace)) == read_file(approved));
    }
  }
}

TEST_CASE("renderers are found by name") {
  REQUIRE(find_renderer("json")->name == "json");
  REQUIRE(find_renderer("xml") == nullptr);
}

Report with_copies(std::optional<std::int64_t> link) {
  analyzer::OpGroup copies;
  copies.name = "copy h2d";
  copies.engine = analyzer::Engine::h2d;
  copies.bytes_per_s = 50'300'000'000;
  copies.best_bytes_per_s = 52'300'000'000;
  copies.link_bytes_per_s = link;
  Report report;
  report.devices.emplace_back().groups.push_back(copies);
  return report;
}

TEST_CASE("copies are held against their link, or else against the quickest of them") {
  const Renderer& text = *find_renderer("text");
  CHECK_THAT(rendered(text, with_copies(63'015'384'615)),
             Catch::Matchers::EndsWith("50.3 GB/s  79.8 % of 63.0 GB/s link\n"));
  CHECK_THAT(rendered(text, with_copies(std::nullopt)),
             Catch::Matchers::EndsWith("50.3 GB/s  best 52.3 GB/s\n"));
}

TEST_CASE("an unknown link is null in JSON") {
  const Renderer& json = *find_renderer("json");
  const auto group = [&](std::optional<std::int64_t> link) {
    return nlohmann::json::parse(rendered(json, with_copies(link)))
        .at("devices")
        .at(0)
        .at("op_groups")
        .at(0);
  };
  CHECK(group(63).at("link_bytes_per_s") == 63);
  CHECK(group(63).at("best_bytes_per_s") == 52'300'000'000);
  CHECK(group(63).at("bytes_per_s") == 50'300'000'000);
  CHECK(group(std::nullopt).at("link_bytes_per_s").is_null());
}

Report hostile() {
  Report report;
  report.trace.file = "t";
  report.trace.command = "./a\x1b[2J\n\"</script>\" \xff\xfe";
  report.health.push_back({"code", analyzer::Severity::warning, 1, "Odd \x01 name.", ""});
  return report;
}

TEST_CASE("names that are not UTF-8 still make valid JSON") {
  const auto json = nlohmann::json::parse(rendered(*find_renderer("json"), hostile()));
  REQUIRE(json["trace"]["health"][0]["message"] == "Odd \x01 name.");
}

TEST_CASE("names cannot move a terminal's cursor") {
  const std::string text = rendered(*find_renderer("text"), hostile());
  REQUIRE(text.find('\x1b') == std::string::npos);
  REQUIRE(text.find('\x01') == std::string::npos);
}

TEST_CASE("a figure that is not defined is null in JSON, with the reason") {
  Report report = hostile();
  analyzer::DeviceResult device;
  device.scope.measures.push_back({&analyzer::copy_hidden, analyzer::Undefined{"no copies"}});
  report.devices.push_back(device);
  const auto json = nlohmann::json::parse(rendered(*find_renderer("json"), report));
  const auto& value = json["devices"][0]["measures"]["copy_hidden"];
  REQUIRE(value["value"].is_null());
  REQUIRE(value["reason"] == "no copies");
}

TEST_CASE("there is no verdict on causes that nobody looked for") {
  Report report = hostile();
  auto json = nlohmann::json::parse(rendered(*find_renderer("json"), report));
  REQUIRE(json["verdict"].is_null());
  report.trust = analyzer::Trust::inconclusive;
  json = nlohmann::json::parse(rendered(*find_renderer("json"), report));
  REQUIRE(json["verdict"] == "inconclusive");
}

}  // namespace
}  // namespace lapscope::reports
