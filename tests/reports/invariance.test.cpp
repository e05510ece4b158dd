#include <sstream>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "reports/renderer.h"
#include "tests/analyzer/support/random_rows.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/support/json.h"

// Changes random traces in ways that must not change the report of `analyze` with all options.
namespace lapscope::reports {
namespace {

using nlohmann::json;

constexpr unsigned traces = test::rounds(150);

// Returns the report of the whole run as JSON. It has no window, because the test shifts all times.
json report_of(const test::TraceRows& rows, const test::TemporaryFolder& folder) {
  const auto file = folder / "t.sqlite";
  std::filesystem::remove(file);
  rows.write(file);
  analyzer::AnalyzeOptions options;
  options.ranges = {"*"};
  options.profiler_brackets = true;
  options.series_bins = 5;
  const analyzer::Report report = analyzer::analyze(analyzer::read_trace(file), options);
  std::ostringstream out;
  find_renderer("json")->render(std::span(&report, 1), TextStyle{}, out);
  return test::parse_json(out.str());
}

// Subtracts `ns` from every instant. The members `start` and `end` are instants.
void shift_back(json& value, std::int64_t ns) {
  if (value.is_array()) {
    for (json& element : value) shift_back(element, ns);
  }
  if (!value.is_object()) return;
  for (auto& [name, member] : value.items()) {
    if ((name == "start" || name == "end") && member.is_number_integer()) {
      member = member.get<std::int64_t>() - ns;
    } else {
      shift_back(member, ns);
    }
  }
}

std::string difference(const json& a, const json& b) { return json::diff(a, b).dump(2); }

TEST_CASE(
    "rows in another order give the same report, and shifted times change only its instants") {
  const test::TemporaryFolder folder;
  constexpr std::int64_t later = 3'600'000'000'123;
  std::size_t gaps = 0;
  for (unsigned seed = 0; seed < traces; ++seed) {
    std::mt19937 random(seed);
    test::TraceRows rows = test::random_rows(random);
    const json before = report_of(rows, folder);
    for (const json& device : before["devices"]) gaps += device["gaps"]["top"].size();
    test::TraceRows shuffled = rows;
    shuffled.shuffle(random);
    const json in_another_order = report_of(shuffled, folder);
    INFO("seed " << seed << "\n" << difference(before, in_another_order));
    REQUIRE((in_another_order == before));  // the parentheses prevent Catch2 from printing both
    rows.shift(later);
    json shifted = report_of(rows, folder);
    shift_back(shifted, later);
    INFO(difference(before, shifted));
    REQUIRE((shifted == before));
  }
  REQUIRE(gaps > traces);  // the traces contain gaps
}

}  // namespace
}  // namespace lapscope::reports
