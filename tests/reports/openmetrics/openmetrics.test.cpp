#include <set>
#include <sstream>
#include <string>

#include "reports/renderer.h"
#include "reports/text/layout.h"
#include "tests/catch.h"
#include "tests/reports/support/sample_reports.h"

namespace lapscope::reports {
namespace {

using test::Containing;

std::string metrics_of(const analyzer::Report& report) {
  std::ostringstream out;
  find_renderer("openmetrics")->render(std::span(&report, 1), TextStyle{}, out);
  return out.str();
}

std::string family_of(const std::string& line) {
  const bool is_comment = line.starts_with("# ");
  const std::size_t begin = is_comment ? line.find(' ', 2) + 1 : 0;
  return line.substr(begin, line.find_first_of(" {", begin) - begin);
}

TEST_CASE("each family of metrics is declared once, before its samples, and none comes again",
          "[openmetrics]") {
  const Lines lines = lines_of(metrics_of(test::report_with_findings()));
  REQUIRE(lines.back() == "# EOF");
  std::set<std::string> ended;
  std::string current;
  std::size_t samples = 0;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    INFO(lines[i]);
    const std::string family = family_of(lines[i]);
    if (family != current) {
      CHECK(lines[i].starts_with("# TYPE " + family + " gauge"));
      CHECK(ended.insert(family).second);
      current = family;
    }
    samples += !lines[i].starts_with("# ");
  }
  CHECK(samples > 10);
}

TEST_CASE("times are in seconds, and a finding has what it saves", "[openmetrics]") {
  analyzer::Report report = test::report_with_findings();
  report.trace.file = "a\\b \"c\"\n.sqlite";
  auto& scope = report.devices[0].scope;
  REQUIRE(scope.causes);
  REQUIRE_FALSE(scope.causes->findings.empty());
  scope.causes->findings[0].saving_ns = 1'250'000;
  const std::string text = metrics_of(report);
  CHECK_THAT(text,
             Containing("code=\"" + std::string(scope.causes->findings[0].code) + "\"} 0.00125\n"));
  CHECK_THAT(text, Containing("# UNIT lapscope_wall_seconds seconds\n"));
  CHECK_THAT(text, Containing("lapscope_conclusive{trace=\"a\\\\b \\\"c\\\"?.sqlite\"} "));
}

TEST_CASE("a measure without a value has no sample, and doubt is a metric", "[openmetrics]") {
  analyzer::Report report = test::report_with_findings();
  report.trust = analyzer::Trust::inconclusive;
  for (auto& device : report.devices) {
    device.ranges.clear();
    device.scope.causes.reset();
    for (auto& result : device.scope.measures) result.value = analyzer::Undefined{"none"};
  }
  const std::string text = metrics_of(report);
  CHECK_THAT(text, !Containing("lapscope_wall_seconds"));
  CHECK_THAT(text, Containing("\"} 0\n"));
}

}  // namespace
}  // namespace lapscope::reports
