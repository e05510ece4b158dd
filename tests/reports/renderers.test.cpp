#include "reports/renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "analyzer/analysis/verdict.h"
#include "reports/text/layout.h"
#include "reports/words/format.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/reports/support/approved.h"
#include "tests/reports/support/sample_reports.h"
#include "tests/reports/support/unsaid.h"
#include "tests/support/json.h"

// Compares the output of every renderer for recorded traces with approved files. After a change on
// purpose, run tests/approve.sh BUILD_DIR and review the difference.
namespace lapscope::reports {
namespace {

namespace fs = std::filesystem;
using analyzer::Report;

std::string rendered(const Renderer& renderer, const Report& report) {
  std::ostringstream out;
  renderer.render(std::span(&report, 1), TextStyle{}, out);
  return out.str();
}

// Returns the lines that only one of two texts has: "- " for the approved text, "+ " for today's.
std::string difference(const std::string& approved, const std::string& today) {
  const auto lines_of = [](const std::string& text) {
    std::multiset<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.insert(line);
    return lines;
  };
  const std::multiset<std::string> before = lines_of(approved);
  const std::multiset<std::string> after = lines_of(today);
  std::vector<std::string> lines;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(lines));
  const std::size_t gone = lines.size();
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(lines));
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i < gone ? "- " : "+ ") + lines[i] + "\n";
  return text;
}

TEST_CASE("reports look as approved in every format") {
  const fs::path folder = fs::path(LAPSCOPE_SOURCE_DIR) / "tests/reports/approved";
  std::set<std::string> names;
  for (const auto& [name, text] : test::outputs_to_approve()) {
    const std::string approved = test::read_file(folder / name);
    INFO(name << "\n" << difference(approved, text));
    CHECK((text == approved));  // the parentheses prevent Catch2 from printing both
    names.insert(name);
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    INFO(entry.path());
    CHECK(names.contains(entry.path().filename()));
  }
}

TEST_CASE("of a rendering is approved what those before it do not say in the same words") {
  const std::string said = "  Saves 3 ms (12 %): wall time 9 ms.\n  at   ops  call site\n  2    1";
  const auto left = [&said](const std::string& text) { return test::unsaid(text, said); };
  CHECK(left("Saves 3 ms (12 %): wall time 9 ms.") == "…");
  CHECK(left("- Saves 3 ms (12 %):\n  wall time\n  8 ms of 12 ms") == "- …\n  8 ms of 12 ms");
  CHECK(left("<p>Saves <b>3 ms</b> (12 %): wall time 9 ms") == "<p>Saves <b>3 ms</b> …");
  CHECK(left("| 3 ms | `Saves 3 ms \\(12 %): wall time 8 ms` |") == "| 3 ms | … 8 ms` |");
  CHECK(left("<b title=\"Saves 3 ms (12 %): wall time 9 ms\">9 ms</b>") ==
        "<b title=\"…\">9 ms</b>");
  CHECK(left("<th>call site</th><td>call site</td>") == "<th>…</th><td>call site</td>");
  CHECK(left("<th>calls</th>") == "<th>calls</th>");
  CHECK(left("2    1    3 ms (12 %)") == "2    1    3 ms (12 %)");
}

// Returns the lines that are too wide, except the first line, commands, and single long words.
std::vector<std::string> lines_beyond(const std::string& text, std::size_t width) {
  std::vector<std::string> beyond;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const bool is_one_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
    const bool is_command = line.starts_with("  lapscope ");  // a user pastes it in one piece
    if (display_width(line) > width && !is_one_word && !is_command) beyond.push_back(line);
  }
  return beyond;
}

std::string as_text(const Report& report, const TextStyle& style) {
  std::ostringstream out;
  render_text(std::span(&report, 1), style, out);
  return out.str();
}

TEST_CASE("the text of every recorded trace is one screen, and as wide as the terminal at most") {
  REQUIRE(test::all_recorded_reports().size() > 50);
  for (const Report& report : test::all_recorded_reports()) {
    for (const std::size_t width : {60U, 80U, 120U}) {
      const std::string text = as_text(report, {.width = width});
      INFO(text);
      CHECK(lines_beyond(text, width).empty());
      if (width >= 80) CHECK(std::count(text.begin(), text.end(), '\n') <= 21);
    }
  }
}

TEST_CASE("of several devices the one with most to gain is shown, the others in a line each") {
  Report report = test::recorded_report("nccl-all-reduce-broken");
  REQUIRE(report.devices.size() == 2);
  for (std::int64_t id = 2; id < 8; ++id) {
    report.devices.push_back(report.devices[0]);
    report.devices.back().id = id;
  }
  analyzer::ScopeResult& scope = report.devices[5].scope;
  scope.causes->findings.front().saving_ns = 90'000'000;
  // If the replay were some us longer than the recording, the text would have one more line.
  scope.causes->replay.wall_ns = scope.window.length();
  const std::string text = as_text(report, {});
  INFO(text);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 21);
  CHECK(text.find("8 devices; below: device 5") != std::string::npos);
  // Devices without room in the text are only counted.
  CHECK(text.find("\n  3 ") != std::string::npos);
  CHECK((text.find("\n  7 ") != std::string::npos) !=
        (text.find(" more devices: -v") != std::string::npos));
  CHECK(text.find(" ops on device 5 (") != std::string::npos);
  CHECK(text.find(" ops on device 0 (") == std::string::npos);
  const std::string verbose = as_text(report, {.verbose = true});
  for (const analyzer::DeviceResult& device : report.devices) {
    CHECK(verbose.find("\n" + title_of(device) + ": ") != std::string::npos);
  }
}

TEST_CASE(
    "who asks for a range reads of it first, in every rendering, and a series is shown by all") {
  analyzer::AnalyzeOptions options;
  options.timeline = true;
  const Report whole = test::recorded_report("default-stream-kernel-broken", options);
  options.ranges = {"default-stream-kernel"};
  const Report range = test::recorded_report("default-stream-kernel-broken", options);
  options.ranges.clear();
  options.series_bins = 4;
  const Report series = test::recorded_report("default-stream-kernel-broken", options);
  for (const Renderer& renderer : renderers()) {
    const bool has_findings = !renderer.lists && (!renderer.folds || renderer.draws);
    if (!has_findings) continue;
    INFO(renderer.name);
    const std::string of_whole = rendered(renderer, whole);
    const std::string of_range = rendered(renderer, range);
    CHECK((of_range != of_whole));
    CHECK(of_range.find("default-stream-barrier") != std::string::npos);
    const bool has_series = renderer.name != "text" && renderer.name != "openmetrics";
    if (has_series) CHECK((rendered(renderer, series) != of_whole));
  }
  CHECK((as_text(series, {.verbose = true}) != as_text(whole, {.verbose = true})));
  const std::string verdict = "59 % of the time could be saved: the legacy default stream ";
  for (const char* format : {"text", "markdown", "html"}) {
    INFO(format);
    std::string text = rendered(*find_renderer(format), range);
    for (std::size_t at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ", at)) {
      text.replace(at, 3, " ");  // the same text as without lines
    }
    const auto first = text.find(verdict);
    REQUIRE(first != std::string::npos);
    CHECK(first < text.find(std::string(format) == "text" ? "Whole run: " : "device 0 ("));
  }
  const analyzer::Interval window = range.devices[0].ranges[0].scope.window;
  const std::int64_t origin = range.timeline->extent.start;
  CHECK(rendered(*find_renderer("html"), range)
            .find("<a href=\"#r=0&amp;t=" + std::to_string(window.start - origin) + "-" +
                  std::to_string(window.end - origin) + "\">Show it in the timeline") !=
        std::string::npos);
}

// Removes the escapes for colours from a screen.
std::string without_colours(std::string text) {
  for (std::size_t at = 0; (at = text.find('\x1b')) != std::string::npos;) {
    text.erase(at, text.find('m', at) + 1 - at);
  }
  return text;
}

TEST_CASE("colour changes no letter, and without Unicode a screen is ASCII and says the same") {
  for (const Report& report : {test::report_with_everything(), test::report_bound_by_engine()}) {
    for (const bool verbose : {false, true}) {
      const std::string text = as_text(report, {.verbose = verbose});
      const std::string coloured = as_text(report, {.colour = true, .verbose = verbose});
      CHECK(without_colours(coloured) == text);
      CHECK_THAT(coloured, Catch::Matchers::Contains("\x1b[1m"));   // bold text
      CHECK_THAT(coloured, Catch::Matchers::Contains("\x1b[32m"));  // the lane of compute
      const std::string ascii = as_text(report, {.unicode = false, .verbose = verbose});
      CHECK(std::all_of(ascii.begin(), ascii.end(),
                        [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        const bool is_ascii = std::all_of(line.begin(), line.end(), [](char c) { return c > 0; });
        INFO(line);
        if (is_ascii) CHECK(ascii.find(line) != std::string::npos);
      }
    }
  }
}

// `holder` is the JSON of a device, a range or a steady state. Returns only the members that all
// three of these have: the members of a scope.
nlohmann::json scope_of(const nlohmann::json& holder) {
  nlohmann::json scope;
  for (const char* member : {"window",
                             "ops",
                             "measures",
                             "states",
                             "gaps",
                             "verdict",
                             "findings",
                             "questions",
                             "blame",
                             "replay",
                             "unexplained_share",
                             "conclusive",
                             "critical_path",
                             "bound",
                             "advice",
                             "assumed",
                             "bottleneck",
                             "looked_for",
                             "correction",
                             "estimated_added",
                             "sample"}) {
    scope[member] = holder.at(member);
  }
  return scope;
}

TEST_CASE("a scope is the same in JSON wherever it stands") {
  Report report = test::report_with_everything();
  analyzer::DeviceResult& device = report.devices.front();
  REQUIRE(device.ranges.size() == 2);
  for (analyzer::RangeResult& range : device.ranges) range.scope = device.scope;
  const auto json = test::parse_json(rendered(*find_renderer("json"), report))["devices"][0];
  CHECK((scope_of(json["steady"]) == scope_of(json)));
  CHECK((scope_of(json["ranges"].at(0)) == scope_of(json)));
}

TEST_CASE("JSON has the values of every recorded report, to the last digit") {
  std::size_t findings = 0;
  for (std::size_t i = 0; i < test::all_recorded_reports().size(); ++i) {
    const Report& report = test::all_recorded_reports()[i];
    const nlohmann::json& json = test::all_recorded_json()[i];
    INFO(report.trace.file);
    REQUIRE(json["devices"].size() == report.devices.size());
    for (std::size_t d = 0; d < report.devices.size(); ++d) {
      const analyzer::DeviceResult& device = report.devices[d];
      const bool is_steady = steady_state_of(device) != nullptr;
      const auto& shown = is_steady ? json["devices"][d]["steady"] : json["devices"][d];
      const analyzer::ScopeResult& scope = judged_of(device);
      CHECK(shown["ops"] == scope.ops);
      CHECK(shown["window"]["start"] == scope.window.start);
      CHECK(shown["window"]["end"] == scope.window.end);
      REQUIRE(shown["measures"].size() == scope.measures.size());
      for (const analyzer::MeasureResult& measure : scope.measures) {
        const auto& value = shown["measures"][std::string(measure.measure->name)]["value"];
        if (const auto* ns = std::get_if<analyzer::Nanoseconds>(&measure.value)) {
          CHECK(value == ns->count);
        } else if (const auto* ratio = std::get_if<analyzer::Ratio>(&measure.value)) {
          CHECK(value == ratio->value());
        } else {
          CHECK(value.is_null());
        }
      }
      std::int64_t wall = 0;
      for (const auto& state : shown["states"]) wall += state["ns"].get<std::int64_t>();
      CHECK(wall == scope.window.length());
      std::int64_t idle = 0;
      for (const auto& ns : shown["gaps"]["by_cause"]) idle += ns.get<std::int64_t>();
      CHECK(idle == scope.gaps.total_ns);
      REQUIRE(shown["findings"].size() == scope.causes->findings.size());
      for (std::size_t f = 0; f < scope.causes->findings.size(); ++f) {
        const analyzer::FindingResult& finding = scope.causes->findings[f];
        CHECK(shown["findings"][f]["code"] == finding.code);
        CHECK(shown["findings"][f]["saving_ns"] == finding.saving_ns);
        CHECK(shown["findings"][f]["saving_share"] == finding.saving_share);
        CHECK(shown["findings"][f]["waited_ns"] == finding.waited_ns);
        CHECK(shown["findings"][f]["predicted"]["wall_ns"] == finding.predicted.wall_ns);
        ++findings;
      }
      std::int64_t blamed = 0;
      for (const auto& row : shown["blame"]) blamed += row["ns"].get<std::int64_t>();
      CHECK(blamed == scope.window.length());
    }
  }
  CHECK(findings > 40);
}

TEST_CASE("a screen has the first finding of a recorded report, with what it saves") {
  std::size_t findings = 0;
  for (const Report& report : test::all_recorded_reports()) {
    if (report.devices.size() != 1) continue;
    const analyzer::ScopeResult& scope = judged_of(report.devices.front());
    const std::string text = as_text(report, {.width = 200});
    INFO(text);
    if (!scope.causes || scope.causes->findings.empty()) continue;
    const analyzer::FindingResult& first = scope.causes->findings.front();
    CHECK_THAT(text, Catch::Matchers::Contains("\n1. " + std::string(first.code) + ": "));
    const bool is_limit = first.code == "host-compute";
    CHECK_THAT(text,
               Catch::Matchers::Contains(fmt::format(
                   "   Saves {}{} ({})", is_limit ? "at most " : "", format_ns(first.saving_ns),
                   format_share(first.saving_ns, modelled_ns(scope)))));
    ++findings;
  }
  CHECK(findings > 30);
}

TEST_CASE("iterations are in what people read") {
  const Report report = test::recorded_report("stream_pipeline-overlapped");
  REQUIRE(report.devices[0].iterations);
  const std::string told = std::to_string(report.devices[0].iterations->count) + " iterations of ";
  CHECK(as_text(report, {.verbose = true}).find(told) != std::string::npos);
  CHECK(rendered(*find_renderer("markdown"), report).find(told) != std::string::npos);
  CHECK(rendered(*find_renderer("html"), report).find(told) != std::string::npos);
}

TEST_CASE("the worst defect of a recording is shown first, everywhere") {
  Report report;
  report.health = {{analyzer::HealthKind::nameless_calls, 1},
                   {analyzer::HealthKind::trailing_text, 1},
                   {analyzer::HealthKind::without_time, 1}};
  for (const char* format : {"text", "markdown", "html", "json"}) {
    INFO(format);
    const std::string text = rendered(*find_renderer(format), report);
    CHECK(text.find("events have no time") < text.find("are of functions that"));
    CHECK(text.find("are of functions that") < text.find("after the end of the JSON"));
    CHECK(text.find("events have no time") != std::string::npos);
    CHECK(text.find("after the end of the JSON") != std::string::npos);
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
    return test::parse_json(rendered(json, with_copies(link)))
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

TEST_CASE("no name of a program breaks a row of CSV") {
  analyzer::ScopeStats stats;
  stats.kernels.push_back({"a,\"b\"\nc", 0, {.count = 1, .sum_ns = 5}});
  Report report;
  report.stats.push_back(stats);
  const std::string text = rendered(*find_renderer("csv"), report);
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  CHECK(text.ends_with(",\"a,\"\"b\"\"?c\"\n"));
}

TEST_CASE("hostile names still make valid JSON, and stay what they are") {
  const auto json = test::parse_json(rendered(*find_renderer("json"), test::hostile_report()));
  REQUIRE(json["trace"]["file"] == test::hostile_texts[0]);
}

TEST_CASE("a figure that is not defined is null in JSON, with the reason") {
  Report report = test::recorded_report("stream_pipeline-serial");
  analyzer::DeviceResult device;
  device.scope.measures.push_back({&analyzer::copy_hidden, analyzer::Undefined{"no copies"}});
  report.devices.push_back(device);
  const auto json = test::parse_json(rendered(*find_renderer("json"), report));
  const auto& value = json["devices"][1]["measures"]["copy_hidden"];
  REQUIRE(value["value"].is_null());
  REQUIRE(value["reason"] == "no copies");
}

TEST_CASE("where causes were not looked for, idle time is shown without any") {
  analyzer::AnalyzeOptions options;
  options.find_causes = false;
  const Report report = test::recorded_report("stream_pipeline-default-stream", options);
  for (const auto& text :
       {as_text(report, {}), as_text(report, {.verbose = true}),
        rendered(*find_renderer("markdown"), report), rendered(*find_renderer("html"), report)}) {
    CHECK(text.find("idle gaps, idle time by cause") == std::string::npos);
    CHECK(text.find("auses were not analyzed") != std::string::npos);
  }
}

TEST_CASE("the verdict is told by what was found, and by nothing when nobody looked") {
  const auto verdict = [](const Report& report) {
    return test::parse_json(rendered(*find_renderer("json"), report))["verdict"];
  };
  Report report = test::recorded_report("stream_pipeline-serial");
  report.devices.front().scope.causes.reset();
  CHECK(verdict(report).is_null());
  CHECK(verdict(test::report_with_findings()) == "findings");
  Report bound = test::report_bound_by_engine();
  CHECK(verdict(bound) == "possible");
  bound.devices.front().scope.causes->questions.clear();
  CHECK(verdict(bound) == "ok");
  report.trust = analyzer::Trust::inconclusive;
  CHECK(verdict(report) == "inconclusive");
}

}  // namespace
}  // namespace lapscope::reports
