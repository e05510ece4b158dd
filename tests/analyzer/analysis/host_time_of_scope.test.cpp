#include <algorithm>
#include <cstdlib>

#include "analyzer/analysis/analyze.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

// Between two launches, the host first loads a batch (x) and then writes a log (y).
constexpr const char* loop = R"(
  thread 1            a.........a.........a.........a.........a
  samples 1 every 2   x.x.x.x.y.x.x.x.x.y.x.x.x.x.y.x.x.x.x.y.x
  stream 1            .AA.......AAA.......AAA.......AAA.......AA
  a = cudaLaunchKernel, at train.py:7
  x = running Images.__getitem__@data.py:27 fetch@/venv/lib/python3/site-packages/torch/utils/data/_utils/fetch.py:50 main@train.py:7
  y = running info@/usr/lib/python3.12/logging/__init__.py:1500 main@train.py:8
)";

Report analyzed(const Program& program, AnalyzeOptions options = {}) {
  return analyze(program.trace, options);
}

const FindingResult* host_compute(const ScopeResult& scope) {
  const auto& findings = scope.causes->findings;
  const auto found = std::find_if(findings.begin(), findings.end(), [](const auto& finding) {
    return finding.code == "host-compute";
  });
  return found == findings.end() ? nullptr : &*found;
}

std::optional<double> measured(const ScopeResult& scope, std::string_view name) {
  for (const MeasureResult& result : scope.measures) {
    const auto* ratio = std::get_if<Ratio>(&result.value);
    if (result.measure->name == name && ratio != nullptr) return ratio->value();
  }
  return std::nullopt;
}

TEST_CASE("a scope has the time between the calls that issued its work") {
  const Program program(loop);
  const Report report = analyzed(program);
  const auto& time = report.devices.at(0).scope.host_time;
  REQUIRE(time);
  CHECK(time->ns == 36 * program.unit);
  CHECK(time->window_ns == 41 * program.unit);
  REQUIRE(time->threads.size() == 1);
  CHECK(time->threads[0].ops == 5);
  REQUIRE(time->parts.size() == 2);
  CHECK(time->parts[0].kind == HostKind::data_loading);
  CHECK(time->parts[0].share.ns == 27 * program.unit);
  CHECK(time->parts[1].kind == HostKind::logging_and_io);
}

TEST_CASE("a window has what is inside of it") {
  const Program program(loop);
  AnalyzeOptions options;
  options.window = Interval{5 * program.unit, 15 * program.unit};
  const Report report = analyzed(program, options);
  REQUIRE(report.devices.at(0).scope.host_time);
  CHECK(report.devices[0].scope.host_time->ns == 9 * program.unit);
  CHECK(report.devices[0].scope.host_time->window_ns == 10 * program.unit);
}

// The window reaches from character 5 to character 15 of `loop`.
TEST_CASE("garbage collections count if they ended in the scope, or may have ended in it") {
  Program program(loop);
  const Ns unit = program.unit;
  constexpr Ns not_told = HostSamples::not_told;
  program.trace.host_samples.collections = {
      {{1 * unit, 3 * unit}, not_told, 50, 0},        // before the window
      {{4 * unit, 6 * unit}, not_told, 2, 0},         // may have ended before the window or in it
      {{6 * unit, 8 * unit}, not_told, 3, 0},         //
      {{14 * unit, 16 * unit}, 15 * unit - 1, 1, 2},  // in the window
      {{14 * unit, 16 * unit}, 15 * unit + 5, 1, 2},  // ends after the window
  };
  AnalyzeOptions options;
  options.window = Interval{5 * unit, 15 * unit};
  const Report report = analyzed(program, options);
  const auto& collections = report.devices.at(0).scope.host_time->collections;
  REQUIRE(collections.size() == 2);
  CHECK(collections[0].generation == 0);
  CHECK(collections[0].least == 3);
  CHECK(collections[0].most == 5);
  CHECK(collections[1].generation == 2);
  CHECK(collections[1].least == 1);
  CHECK(collections[1].most == 1);
}

TEST_CASE("a finding about the host's own work names what the host did") {
  const Program program(loop);
  const Report report = analyzed(program);
  const FindingResult* finding = host_compute(report.devices.at(0).scope);
  REQUIRE(finding != nullptr);
  REQUIRE(finding->host_work);
  CHECK(finding->host_work->about().kind == HostKind::data_loading);
  CHECK(finding->host_work->about().share.ns == 27 * program.unit);
  CHECK(finding->host_work->ns == 36 * program.unit);
  REQUIRE(finding->host_work->functions.size() == 2);
  CHECK(finding->host_work->functions[0].function == "Images.__getitem__");
  CHECK(finding->host_work->functions[0].line == 27);
}

TEST_CASE("on another thread, a function saves its share of each gap") {
  const Program program(loop);
  const Report report = analyzed(program);
  const FindingResult& finding = *host_compute(report.devices.at(0).scope);
  const std::int64_t load = finding.host_work->functions.at(0).saving_ns.value_or(0);
  const std::int64_t log = finding.host_work->functions.at(1).saving_ns.value_or(0);
  CHECK(log > 7 * program.unit);
  CHECK(std::abs(load - 3 * log) < program.unit);
  CHECK(load <= finding.saving_ns);
}

TEST_CASE("each kind is a measure, of the time of the scope on the host") {
  const Program program(loop);
  const Report report = analyzed(program);
  const ScopeResult& scope = report.devices.at(0).scope;
  CHECK(measured(scope, "host_data_loading") == 27.0 / 41);
  CHECK(measured(scope, "host_lock") == 0.0);
  for (std::size_t kind = 0; kind < host_kinds; ++kind) {
    const std::string name = "host_" + std::string(name_of(static_cast<HostKind>(kind)));
    CAPTURE(name);
    CHECK(find_measure(name) != nullptr);
    CHECK(measured(scope, name));
  }
}

TEST_CASE("rows of the user's own say what a function is") {
  const Program program(loop);
  AnalyzeOptions options;
  options.host_kinds.put_first({{HostKind::lock, {}, {"Images.__getitem__"}}});
  CHECK(analyzed(program, options).devices.at(0).scope.host_time->parts.at(0).kind ==
        HostKind::lock);
}

TEST_CASE("where nobody looked at threads nothing is said of them") {
  Program program(loop);
  program.trace.host_samples = {};
  const Report report = analyzed(program);
  const ScopeResult& scope = report.devices.at(0).scope;
  CHECK_FALSE(scope.host_time);
  REQUIRE(host_compute(scope) != nullptr);
  CHECK_FALSE(host_compute(scope)->host_work);
  CHECK_FALSE(measured(scope, "host_data_loading"));
}

}  // namespace
}  // namespace lapscope::analyzer
