#include "tests/analyzer/findings/accuracy_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/what_if.h"
#include "analyzer/reader/read_trace.h"

namespace lapscope::test {
namespace {

using nlohmann::json;

// One trace of the catalogue, and what the analysis says of its range on its busiest device.
struct Row {
  std::string name;
  std::string variant;
  std::string planted;  // the first code; empty when nothing is
  std::vector<std::string> fixes;
  double wall_ms = 0;
  double replay_error = 0;
  std::string top;  // the code of the first finding; empty when there is none
  double top_saving = 0;
  std::string bound_by;
  double bound_share = 0;
  double unexplained_share = 0;
  std::optional<double> predicted_ms;  // after the fix of what is planted
  std::optional<double> bare_broken_ms;
  std::optional<double> bare_fixed_ms;

  double error() const { return *predicted_ms / *bare_fixed_ms - 1; }
};

double ms(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

const analyzer::RangeResult* busiest(const analyzer::Report& report) {
  const analyzer::RangeResult* most = nullptr;
  for (const analyzer::DeviceResult& device : report.devices) {
    for (const analyzer::RangeResult& range : device.ranges) {
      if (!most || range.scope.ops > most->scope.ops) most = &range;
    }
  }
  return most;
}

// Cases that were put right by more than undoing what is planted: all that their fixed program has.
struct SeveralFixes {
  std::string_view name;
  std::vector<std::string> fixes;
};
const SeveralFixes several_fixes[] = {
    // A stream for the all-reduce, and a grid that leaves some multiprocessors to it.
    {"nccl-all-reduce", {"stream-order", "sm-saturated"}},
};

std::vector<std::string> fixes_of(const std::string& name, const std::string& planted) {
  for (const SeveralFixes& known : several_fixes) {
    if (known.name == name) return known.fixes;
  }
  return {planted};
}

std::optional<double> predicted_ms(const analyzer::Trace& trace,
                                   const analyzer::AnalyzeOptions& options,
                                   const std::vector<std::string>& codes) {
  std::vector<analyzer::AskedFix> asked;
  for (const std::string& code : codes) asked.push_back(analyzer::asked_fix(code));
  const auto report = analyzer::what_if(trace, options, asked);
  const analyzer::WhatIfScope* most = nullptr;
  for (const analyzer::WhatIfScope& scope : report.scopes) {
    if (!most || scope.wall_ns > most->wall_ns) most = &scope;
  }
  if (!most) return std::nullopt;
  return ms(most->predicted.wall_ns);
}

Row row_of(const std::filesystem::path& traces, const json& entry) {
  Row row;
  row.name = entry["case"];
  row.variant = entry["variant"];
  if (!entry["causes"].empty()) row.planted = entry["causes"][0];
  analyzer::AnalyzeOptions options;
  options.ranges = {row.name};
  const analyzer::Trace trace = analyzer::read_trace(traces / entry["trace"].get<std::string>());
  const analyzer::Report report = analyzer::analyze(trace, options);
  const analyzer::RangeResult* range = busiest(report);
  if (range && range->scope.causes) {
    const analyzer::CausesResult& causes = *range->scope.causes;
    const std::int64_t wall = range->scope.window.end - range->scope.window.start;
    row.wall_ms = ms(wall);
    row.replay_error = causes.replay.error;
    row.bound_by = causes.bound_by;
    row.bound_share = causes.bound_share;
    for (const analyzer::BlameRow& blame : causes.blame) {
      if (blame.code == "unexplained") {
        row.unexplained_share = static_cast<double>(blame.ns) / static_cast<double>(wall);
      }
    }
    if (!causes.findings.empty()) {
      row.top = causes.findings.front().code;
      row.top_saving = causes.findings.front().saving_share;
    }
  }
  const json& bare = entry["bare_wall_ms"];
  if (bare.contains("broken") && !bare["broken"].is_null()) row.bare_broken_ms = bare["broken"];
  if (bare.contains("fixed") && !bare["fixed"].is_null()) row.bare_fixed_ms = bare["fixed"];
  if (row.variant == "broken") {
    row.fixes = fixes_of(row.name, row.planted);
    row.predicted_ms = predicted_ms(trace, options, row.fixes);
  }
  return row;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string percent(double share) { return fmt::format("{:+.1f}", share * 100); }

void write_predictions(const std::vector<Row>& rows, std::ostream& out) {
  std::vector<double> errors;
  for (const Row& row : rows) {
    if (row.predicted_ms && row.bare_fixed_ms) errors.push_back(std::abs(row.error()));
  }
  const auto within = [&errors](double limit) {
    return std::count_if(errors.begin(), errors.end(), [limit](double e) { return e <= limit; });
  };
  out << fmt::format(
      "Over {} pairs the median of |error| is {:.1f} %, the worst {:.1f} %; {} are within 3 %, {} "
      "within 10 %.\n\n",
      errors.size(), median(errors) * 100,
      errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end()) * 100, within(0.03),
      within(0.10));
  out << "| case | fix | broken, recorded | broken, bare | predicted | fixed, bare | error % |\n"
         "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
  for (const Row& row : rows) {
    if (!row.predicted_ms || !row.bare_fixed_ms) continue;
    out << fmt::format("| {} | `{}` | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {} |\n", row.name,
                       fmt::join(row.fixes, "`, `"), row.wall_ms, row.bare_broken_ms.value_or(0),
                       *row.predicted_ms, *row.bare_fixed_ms, percent(row.error()));
  }
}

void write_confusion(const std::vector<Row>& rows, std::ostream& out) {
  std::map<std::pair<std::string, std::string>, int> counts;
  int right = 0;
  const auto or_nothing = [](const std::string& code) { return code.empty() ? "nothing" : code; };
  for (const Row& row : rows) {
    ++counts[{or_nothing(row.planted), or_nothing(row.top)}];
    right += row.planted == row.top;
  }
  out << fmt::format("{} of {} traces are judged as planted.\n\n", right, rows.size());
  out << "| planted | found first | traces |\n| --- | --- | ---: |\n";
  for (const auto& [key, count] : counts) {
    const bool is_right = key.first == key.second;
    out << fmt::format("| {} | {} | {} |\n", key.first,
                       is_right ? key.second : "**" + key.second + "**", count);
  }
}

void write_replays(const std::vector<Row>& rows, std::ostream& out) {
  std::vector<double> errors;
  std::vector<double> unexplained;
  for (const Row& row : rows) {
    errors.push_back(std::abs(row.replay_error));
    unexplained.push_back(row.unexplained_share);
  }
  out << fmt::format(
      "Over {} traces the median of |replay error| is {:.2f} %, the worst {:.2f} %. The largest "
      "share of the wall time that no cause explains is {:.2f} %.\n\n",
      rows.size(), median(errors) * 100,
      errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end()) * 100,
      unexplained.empty() ? 0 : *std::max_element(unexplained.begin(), unexplained.end()) * 100);
  out << "| case | variant | wall ms | replay % | unexplained % | planted | found first | saving % "
         "| "
         "busiest engine |\n| --- | --- | ---: | ---: | ---: | --- | --- | ---: | --- |\n";
  for (const Row& row : rows) {
    out << fmt::format("| {} | {} | {:.3f} | {:+.2f} | {:.2f} | {} | {} | {} | {} {:.0f} % |\n",
                       row.name, row.variant, row.wall_ms, row.replay_error * 100,
                       row.unexplained_share * 100, row.planted, row.top,
                       row.top.empty() ? "" : fmt::format("{:.1f}", row.top_saving * 100),
                       row.bound_by, row.bound_share * 100);
  }
}

}  // namespace

void write_accuracy_page(const std::filesystem::path& traces, std::ostream& out) {
  std::ifstream file(traces / "catalogue.json");
  const json catalogue = json::parse(file);
  std::vector<Row> rows;
  for (const json& entry : catalogue["traces"]) rows.push_back(row_of(traces, entry));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.name < b.name; });
  out << R"(# How good the predictions are

    tests/approve.sh BUILD_DIR

writes this page from the recorded traces in `tests/traces` and their catalogue (H200, driver and date in each trace), and
a test holds the page to what the analysis says today. Each trace is judged in the NVTX range of its case, on the GPU with
most operations. [causes.md](causes.md) explains the model and what it leaves out.

## Predicted and measured

For each case that was recorded broken: the wall time that `lapscope whatif --fix CODE` predicts from that recording alone,
and what the program that was put right takes without a recorder (median of its runs). Where that has several fixes, all of
them are made, one after the other (`--fix CODE --fix CODE`). Times in ms. The bare time of the broken program stands
beside the recorded one, because a prediction made from a recording also carries what recording cost.

)";
  write_predictions(rows, out);
  out << R"(
## Planted and found

The cause planted in each trace against the first finding; broken ones have a cause, fixed ones and controls mostly none.

)";
  write_confusion(rows, out);
  out << R"(
## Every trace

The replay of the unchanged trace against the recorded wall time; what remains unexplained on the way from the first
operation to the last; and the first finding, if any, with what its fix would save.

)";
  write_replays(rows, out);
}

}  // namespace lapscope::test
