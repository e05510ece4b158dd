#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <sstream>
#include <string>

#include "analyzer/model/evidence.h"
#include "reports/renderer.h"
#include "tests/catch.h"
#include "tests/reports/support/screens.h"
#include "tests/support/json.h"

// Laws of every recorded trace.
namespace lapscope::reports {
namespace {

using nlohmann::json;
using test::Screen;
using test::screens;

TEST_CASE("no recorded trace has a hole, or breaks a law") {
  const std::filesystem::recursive_directory_iterator files(LAPSCOPE_TEST_TRACES);
  const auto traces = std::count_if(begin(files), end(files), [](const auto& file) {
    return file.path().extension() == ".sqlite";
  });
  REQUIRE(screens().size() == static_cast<std::size_t>(traces));  // all have ops
  for (const Screen& screen : screens()) {
    INFO(screen.trace);
    for (const analyzer::HealthRow& row : screen.report.health) {
      CHECK_FALSE(code_of(row).starts_with("orphan-"));
      CHECK(code_of(row) != "lost-records");
      CHECK(code_of(row) != "empty-copies");
      CHECK(row.kind != analyzer::HealthKind::broken_law);
      CHECK(row.kind != analyzer::HealthKind::impossible_values);
    }
  }
}

// Traces in pairs/ and h100/ have a calibration. Most others have neither this nor bare runs.
TEST_CASE("few recorded traces contain much of the recorder's time, and no verdict changes") {
  std::set<std::string> with_much;
  for (const Screen& screen : screens()) {
    INFO(screen.trace);
    if (screen.trace.starts_with("pairs/") || screen.trace.starts_with("h100/")) continue;
    const auto check = [&](const analyzer::ScopeResult& scope) {
      if (!scope.causes || !scope.causes->estimated_added) return;
      with_much.insert(screen.trace);
      for (const analyzer::LookedFor& one : scope.causes->looked_for) {
        CHECK(std::ranges::find(one.missing, analyzer::bare_runs) == one.missing.end());
      }
    };
    for (const analyzer::DeviceResult& device : screen.report.devices) {
      check(judged_of(device));
      for (const analyzer::RangeResult& range : device.ranges) check(range.scope);
    }
  }
  CHECK(with_much == std::set<std::string>{"tiny-kernels-broken", "unseen/small-kernels-broken"});
}

TEST_CASE("the brief JSON of every recorded trace is at most 4 kB") {
  REQUIRE(screens().size() > 200);
  for (const Screen& screen : screens()) {
    INFO(screen.trace);
    std::ostringstream out;
    render_brief_json(std::span(&screen.report, 1), out);
    CHECK(out.str().size() <= 4096);
    const json brief = test::parse_json(out.str());
    CHECK(brief["schema"] == "lapscope-brief/1");
    CHECK(brief["complete"].is_boolean());
  }
}

}  // namespace
}  // namespace lapscope::reports
