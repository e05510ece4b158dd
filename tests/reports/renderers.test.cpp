#include "reports/renderer.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/text/render_text.h"
#include "tests/catch.h"
#include "tests/reports/support/approved.h"
#include "tests/reports/support/sample_reports.h"

// Every renderer over recorded traces, against files that a person has looked at. After a
// wanted change: tests/approve.sh BUILD_DIR, and read the difference.
namespace lapscope::reports {
namespace {

namespace fs = std::filesystem;
using analyzer::Report;

std::string rendered(const Renderer& renderer, const Report& report) {
  std::ostringstream out;
  renderer.render(std::span(&report, 1), TextStyle{}, out);
  return out.str();
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("reports look as approved in every format") {
  const auto outputs = test::outputs_to_approve();
  REQUIRE(outputs.size() > 3 * 2);
  for (const auto& [name, text] : outputs) {
    const fs::path approved = fs::path(LAPSCOPE_SOURCE_DIR) / "tests/reports/approved" / name;
    INFO(approved);
    CHECK(text == read_file(approved));
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
  const auto verbose = [](std::optional<std::int64_t> link) {
    const Report report = with_copies(link);
    std::ostringstream out;
    render_text(std::span(&report, 1), {.verbose = true}, out);
    return out.str();
  };
  CHECK_THAT(verbose(63'015'384'615),
             Catch::Matchers::Contains("50.3 GB/s  79.8 % of 63.0 GB/s link\n"));
  CHECK_THAT(verbose(std::nullopt), Catch::Matchers::Contains("50.3 GB/s  best 52.3 GB/s\n"));
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

TEST_CASE("hostile names still make valid JSON, and stay what they are") {
  const auto json = nlohmann::json::parse(rendered(*find_renderer("json"), test::hostile_report()));
  REQUIRE(json["trace"]["file"] == test::hostile_texts[0]);
}

TEST_CASE("a figure that is not defined is null in JSON, with the reason") {
  Report report = test::recorded_report("stream_pipeline-serial");
  analyzer::DeviceResult device;
  device.scope.measures.push_back({&analyzer::copy_hidden, analyzer::Undefined{"no copies"}});
  report.devices.push_back(device);
  const auto json = nlohmann::json::parse(rendered(*find_renderer("json"), report));
  const auto& value = json["devices"][1]["measures"]["copy_hidden"];
  REQUIRE(value["value"].is_null());
  REQUIRE(value["reason"] == "no copies");
}

TEST_CASE("the verdict is told by what was found, and by nothing when nobody looked") {
  const auto verdict = [](const Report& report) {
    return nlohmann::json::parse(rendered(*find_renderer("json"), report))["verdict"];
  };
  Report report = test::recorded_report("stream_pipeline-serial");
  report.devices.front().scope.causes.reset();
  CHECK(verdict(report).is_null());
  CHECK(verdict(test::report_with_findings()) == "findings");
  CHECK(verdict(test::report_bound_by_engine()) == "ok");
  report.trust = analyzer::Trust::inconclusive;
  CHECK(verdict(report) == "inconclusive");
}

}  // namespace
}  // namespace lapscope::reports
