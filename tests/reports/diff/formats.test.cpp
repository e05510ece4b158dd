#include <sstream>

#include "analyzer/diff/comparison.h"
#include "reports/diff/diff_renderer.h"
#include "reports/named.h"
#include "reports/text/layout.h"
#include "tests/analyzer/gate/support/made_run.h"
#include "tests/catch.h"
#include "tests/support/json.h"

namespace lapscope::reports {
namespace {

using namespace analyzer;
using nlohmann::json;
using test::Containing;

std::string rendered(std::string_view format, const Comparison& comparison,
                     std::size_t width = 160) {
  std::ostringstream out;
  named(diff_renderers, format)->render(comparison, {}, {.width = width}, out);
  return out.str();
}

// Compares four runs with four slower runs, which have another finding.
Comparison made_comparison(const std::string& kernel = "scale") {
  const auto side = [&kernel](double wall_ns, const char* finding) {
    std::vector<RunSummary> runs;
    for (int repeat = 0; repeat < 4; ++repeat) {
      RunSummary run = test::made_run({{&overlap_ratio, 0.5}, {&wall, wall_ns + repeat}});
      ScopeSummary& scope = run.devices[0].scopes[0];
      scope.gaps.by_cause = {{"host-sync", static_cast<std::int64_t>(wall_ns / 4)}};
      scope.kernels = {{kernel, 10, static_cast<std::int64_t>(wall_ns / 2), 100}};
      test::add_findings(run, {{finding, 0.2}});
      runs.push_back(run);
    }
    return runs;
  };
  return compare_runs(side(1000, "event-wait"), side(2000, "host-sync"));
}

TEST_CASE("text shows both sides, the difference, and how far to believe it") {
  const std::string text = rendered("text", made_comparison());
  INFO(text);
  CHECK_THAT(text, Containing("Runs: 4 before, 4 after."));
  CHECK_THAT(text, Containing("\ndevice 0\n"));
  CHECK_THAT(text, Containing("   0.000  same, p 1.000\n"));
  CHECK_THAT(text,
             Containing("wall           1.00 us  2.00 us  +1.00 us (+99.9 %)  worse, p 0.029\n"));
  CHECK_THAT(text,
             Containing("    host-sync  250 ns  500 ns  +250 ns (+100.0 %)  worse, p 0.029\n"));
  CHECK_THAT(text, Containing("findings gained\n    host-sync: what (fix saves 20.0 %)"));
  CHECK_THAT(text, Containing("findings lost\n    event-wait: what (fix saves 20.0 %)"));
  CHECK_THAT(text, Containing("    scale   50 ns  100 ns  +50 ns (+100.0 %)  worse, p 0.029"));
  CHECK_THAT(text, Containing("    scale   0.200  0.100      -0.100  worse, p 0.029"));
}

TEST_CASE("a finding has its line, and the one before where that is another") {
  Comparison comparison = made_comparison();
  WorkChange& work = comparison.works.front();
  work.gained.front().at_after = SourcePlace{"src/a.cu", 12, "run"};
  work.lost.front().at_before = SourcePlace{"src/b.cu", 7, "wait"};
  FindingChange kept{"alloc-free", "cudaFree", 0.3, 0.2, "", ""};
  kept.at_before = SourcePlace{"src/a.cu", 40, "step"};
  kept.at_after = kept.at_before;
  work.kept.push_back(kept);
  kept.at_after->line = 44;
  work.kept.push_back(kept);
  for (const char* format : {"text", "markdown", "html"}) {
    std::string text = rendered(format, comparison);
    // Markdown can show ":" as the begin of an emoji, so it is escaped.
    for (auto at = text.find("\\:"); at != std::string::npos; at = text.find("\\:")) {
      text.erase(at, 1);
    }
    INFO(text);
    CHECK_THAT(text, Containing("(fix saves 20.0 %) at a.cu:12 in run"));
    CHECK_THAT(text, Containing("(fix saves 20.0 %) at b.cu:7 in wait"));
    CHECK_THAT(text, Containing("30.0 % before, 20.0 % after) at a.cu:40 in step"));
    CHECK_THAT(text, Containing("at a.cu:44 in step (a.cu:40 in step before)"));
  }
  const json work_json = test::parse_json(rendered("json", comparison))["works"][0]["findings"];
  CHECK(work_json["gained"][0]["at_after"]["line"] == 12);
  CHECK(work_json["gained"][0]["at_before"].is_null());
  CHECK(work_json["kept"][1]["at_before"]["line"] == 40);
}

// Returns the first line of a comparison of two runs with these causes.
std::string first_line_of(std::vector<std::string> lost, std::vector<std::string> gained,
                          std::vector<std::string> kept, double wall_after = 2000) {
  const auto side = [](double wall_ns) {
    return std::vector{test::made_run({{&overlap_ratio, 0.5}, {&wall, wall_ns}})};
  };
  Comparison comparison = compare_runs(side(1000), side(wall_after));
  WorkChange& work = comparison.works.front();
  const auto add = [](const std::vector<std::string>& codes, std::vector<FindingChange>& changes) {
    for (const std::string& code : codes) changes.push_back({code, "what"});
  };
  add(lost, work.lost);
  add(gained, work.gained);
  add(kept, work.kept);
  const std::string text = rendered("text", comparison);
  return text.substr(0, text.find('\n'));
}

TEST_CASE("a cause that both sides have, at other calls, is neither gone nor new") {
  CHECK(first_line_of({"host-sync", "lock"}, {"host-sync"}, {}) == "2.0 × slower: lock is gone.");
  CHECK(first_line_of({"host-sync"}, {}, {"host-sync"}) == "2.0 × slower.");
}

TEST_CASE("each cause counts once, also one whose name is a part of another name") {
  CHECK(first_line_of({"launch-blocking", "lock"}, {}, {}) ==
        "2.0 × slower: launch-blocking, lock are gone.");
  CHECK(first_line_of({"host-sync", "alloc-free", "module-load", "module-load"}, {}, {}) ==
        "2.0 × slower: host-sync, alloc-free and 1 more are gone.");
}

TEST_CASE("a difference that is printed as zero is none") {
  CHECK(first_line_of({}, {}, {}, 1000.4) == "As fast as before.");
  CHECK(first_line_of({}, {}, {}, 1021) == "2.1 % slower.");
}

TEST_CASE("a comparison tells no saving where the model check of a run is far off") {
  const auto side = [](const char* finding, double model_error) {
    RunSummary run = test::made_run({{&overlap_ratio, 0.5}, {&wall, 1000}});
    test::add_findings(run, {{finding, 0.2}});
    run.devices[0].scopes[0].causes->model_error = model_error;
    return std::vector{run};
  };
  const Comparison comparison = compare_runs(side("event-wait", 0), side("host-sync", -0.79));
  for (const char* format : {"text", "markdown", "html"}) {
    const std::string text = rendered(format, comparison, 400);
    INFO(text);
    CHECK_THAT(text, Containing("(fix saves an unknown time"));
    CHECK_THAT(text, Containing("event-wait: what (fix saves 20.0 %)") ||
                         Containing("event-wait\\: what (fix saves 20.0 %)"));
  }
}

TEST_CASE("text of a run on each side fits the terminal") {
  const auto side = [](double wall_ns, const char* finding) {
    RunSummary run = test::made_run({{&overlap_ratio, 0.5}, {&wall, wall_ns}});
    run.devices[0].scopes[0].kernels = {{std::string(100, 'k'), 10, 5'000'000, 100}};
    test::add_findings(run, {{finding, 0.2}});
    run.devices[0].scopes[0].gaps.by_cause = {{"default-stream-barrier", 1'234'567}};
    return std::vector{run};
  };
  const Comparison comparison =
      compare_runs(side(10'234'567, "event-wait"), side(20'345'678, "host-sync"));
  for (const std::size_t width : {80U, 100U}) {
    std::istringstream lines(rendered("text", comparison, width));
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(display_width(line) <= width);
    }
  }
  CHECK_THAT(rendered("text", comparison, 80), Containing("kkkk…"));
}

TEST_CASE("json has every figure of both sides") {
  const json diff = test::parse_json(rendered("json", made_comparison()));
  CHECK(diff["schema"] == "lapscope-diff/1");
  CHECK(diff["verdict"] == "compared");
  CHECK(diff["before"]["runs"] == 4);
  const json& work = diff["works"][0];
  CHECK(work["measures"]["wall"]["change"] == "worse");
  CHECK(work["measures"]["wall"]["before"]["median"] == 1001);
  CHECK(work["measures"]["wall"]["difference"] == 1000);
  CHECK(work["measures"]["overlap_ratio"]["change"] == "same");
  CHECK(work["gaps"]["host-sync"]["change"] == "worse");
  CHECK(work["findings"]["gained"][0]["code"] == "host-sync");
  CHECK(work["findings"]["lost"][0]["code"] == "event-wait");
  CHECK(work["kernels"][0]["mean_ns"]["after"]["median"] == 100);
  CHECK(work["kernels"][0]["shared"]["before"]["median"] == 0.2);
}

TEST_CASE("a page has the tables of both sides, and says where there is no timeline") {
  const std::string page = rendered("html", made_comparison());
  CHECK_THAT(page, Containing("<td class=\"n\">250 ns</td><td class=\"n\">500 ns</td>"
                              "<td class=\"n\">+250 ns (+100.0 %)</td>"
                              "<td><span class=\"worse\">worse, p 0.029</span></td>"));
  CHECK_THAT(page, Containing("<h3>Findings gained</h3>\n<ul class=\"finding-list\"><li><strong>"
                              "host-sync: what (fix saves 20.0 %)</strong>"));
  CHECK_THAT(page, Containing("<h3>Findings lost</h3>"));
  CHECK_THAT(page, Containing("A, before: a summary has no timeline."));
  CHECK_THAT(page, !Containing("<section class=\"timeline\""));
}

TEST_CASE("one launch of several that changed is told by its number") {
  Comparison comparison = made_comparison();
  comparison.works[0].launches = {
      {"sc<ale>", 3, 4, 3, 4,
       figure_change({100, 101, 102, 103}, {150, 151, 152, 153}, Better::less)},
      {"sc<ale>", 2, 4, 1, 3, figure_change({100, 101, 102, 103}, {50, 51, 52, 53}, Better::less)}};
  CHECK_THAT(rendered("text", comparison),
             Containing("    sc<ale>, launch 3 of 4                  101 ns (100 ns to 103 ns)") &&
                 Containing("    sc<ale>, launch 2 of 4 (1 of 3 before)  101 ns") &&
                 Containing("+50 ns (+49.5 %)  worse, p 0.029"));
  CHECK_THAT(rendered("markdown", comparison), Containing("| `sc<ale>`, launch 3 of 4 | 101 ns"));
  CHECK_THAT(rendered("html", comparison),
             Containing("<td><code>sc&lt;ale&gt;</code>, launch 2 of 4 (1 of 3 before)</td>"));
  const json launch = test::parse_json(rendered("json", comparison))["works"][0]["launches"][1];
  CHECK(launch["launch"] == 2);
  CHECK(launch["of_before"] == 3);
  CHECK(launch["ns"]["change"] == "better");
}

TEST_CASE("what is inconclusive says so in every format") {
  Comparison comparison = made_comparison();
  comparison.trouble = {analyzer::RemarkKind::unsound_for, {"a", "5 records were lost."}};
  for (const DiffRenderer& renderer : diff_renderers) {
    if (renderer.draws == DiffRenderer::Draws::both) continue;  // it shows runs, not figures
    INFO(renderer.name);
    const std::string text = rendered(renderer.name, comparison);
    CHECK_THAT(text, Containing("nconclusive") && Containing("5 records were lost."));
    CHECK_THAT(text, !Containing("faster") && !Containing("slower") && !Containing("As fast as"));
  }
}

TEST_CASE("names of kernels break no format") {
  const Comparison comparison = made_comparison("a<b>|`\n\x1b[2J\xff");
  for (const DiffRenderer& renderer : diff_renderers) {
    if (renderer.draws == DiffRenderer::Draws::both) continue;  // it shows runs, not figures
    INFO(renderer.name);
    CHECK(rendered(renderer.name, comparison).find('\x1b') == std::string::npos);
  }
  CHECK_THAT(rendered("html", comparison), !Containing("a<b>"));
  CHECK_THAT(rendered("markdown", comparison), Containing("``a<b>\\|`?"));
  CHECK(test::parse_json(rendered("json", comparison))["works"].size() == 1);
}

}  // namespace
}  // namespace lapscope::reports
