#include "analyzer/analysis/verdict.h"

#include "tests/analyzer/analysis/support/judged_report.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::busy_engine;
using test::finding_called;
using test::range_with;
using test::report_of;

TEST_CASE("nothing found in a run is ok where the model accounts for it, and else no result") {
  CausesResult causes = busy_engine();
  CHECK(verdict_of(report_of(causes)) == Verdict::ok);
  SECTION("unexplained") { causes.unexplained_share = 0.7; }
  SECTION("replayed shorter") { causes.replay.error = -0.5; }
  SECTION("replayed longer") { causes.replay.error = 0.5; }
  SECTION("records are missing") {
    causes.looked_for = {{"event-wait", false, {"CUDA_EVENT", "RUNTIME"}, {"CUDA_EVENT"}, true}};
  }
  CHECK(verdict_of(report_of(causes)) == Verdict::inconclusive);
  causes.findings.push_back(finding_called("a wait"));
  CHECK(verdict_of(report_of(causes)) == Verdict::inconclusive);
}

TEST_CASE("records that are missing and settle nothing leave no verdict open") {
  CausesResult causes = busy_engine();
  causes.looked_for = {{"event-wait", false, {"CUDA_EVENT", "RUNTIME"}, {"CUDA_EVENT"}, false}};
  CHECK(verdict_of(report_of(causes)) == Verdict::ok);
}

TEST_CASE("the verdict is that of the steady state where there is one") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called("a wait"));
  Report report = report_of(busy_engine());
  report.devices[0].sought_steady = true;
  report.devices[0].ranges.push_back(range_with("steady state", causes));
  report.devices[0].ranges[0].steady.emplace();
  CHECK(verdict_of(report) == Verdict::findings);
  report.devices[0].scope.causes.reset();
  CHECK(verdict_of(report) == Verdict::findings);
}

TEST_CASE("the verdict is on the ranges that were asked for") {
  Report report = report_of(busy_engine());
  CHECK(verdict_of(report) == Verdict::ok);
  CausesResult causes = busy_engine();
  causes.replay.error = 0.2;
  report.devices[0].ranges.push_back(range_with("step", causes));
  CHECK(verdict_of(report) == Verdict::inconclusive);
  SECTION("even if the whole device is inconclusive") {
    report.devices[0].scope.causes->replay.error = 0.2;
    report.devices[0].ranges[0].scope.causes = busy_engine();
    CHECK(verdict_of(report) == Verdict::ok);
  }
  //   steps  |----------------|   the model explains the delays of "steps"
  //   step       |-----|          the model does not explain the delays of "step"
  SECTION("a range that the model does not explain is ignored inside a range that it explains") {
    analyzer::RangeResult steps = range_with("steps", busy_engine());
    steps.scope.window = {report.devices[0].ranges[0].scope.window.start,
                          report.devices[0].ranges[0].scope.window.end + 1};
    report.devices[0].ranges.push_back(steps);
    CHECK(verdict_of(report) == Verdict::ok);
  }
}

TEST_CASE("the range with the largest saving is shown, or the whole device if it has no ranges") {
  Report report = report_of(busy_engine());
  DeviceResult& device = report.devices[0];
  CHECK(&scope_to_show(device) == &device.scope);
  for (const std::int64_t saving : {10, 30, 20}) {
    device.ranges.push_back(range_with("step", busy_engine()));
    device.ranges.back().scope.causes->findings.emplace_back().saving_ns = saving;
  }
  CHECK(&scope_to_show(device) == &device.ranges[1].scope);
}

TEST_CASE("long waits are not ok even without a known fix, unless an engine is the bound") {
  const auto verdict_with = [](std::int64_t work, std::int64_t waiting, double bound) {
    CausesResult causes = busy_engine();
    causes.blame = {{"h2d", analyzer::BlameKind::work, work},
                    {"host-compute", analyzer::BlameKind::wait, waiting}};
    causes.bound_share = bound;
    return verdict_of(report_of(causes));
  };
  CHECK(verdict_with(900'000, 100'000, 0.5) == Verdict::ok);
  CHECK(verdict_with(700'000, 300'000, 0.5) == Verdict::findings);
  CHECK(verdict_with(700'000, 300'000, 0.9) == Verdict::ok);
}

TEST_CASE("a question whose answer may be worth a finding leaves it possible") {
  CausesResult causes = busy_engine();
  causes.questions.push_back(finding_called("a chain"));
  CHECK(verdict_of(report_of(causes)) == Verdict::possible);
  Report report = report_of(busy_engine());
  report.devices.push_back(report_of(causes).devices[0]);
  CHECK(verdict_of(report) == Verdict::possible);
  report.devices[0].scope.causes->findings.push_back(finding_called("a wait"));
  CHECK(verdict_of(report) == Verdict::findings);
}

TEST_CASE("a wait is no finding where the device is hardly idle") {
  CausesResult causes = busy_engine();
  causes.bound_share = 0.5;
  causes.blame = {{"host-compute", BlameKind::wait, 900'000}};
  Report report = report_of(causes);
  ScopeResult& scope = report.devices[0].scope;
  scope.measures = {{&wall, Nanoseconds{1'000'000}}};
  scope.gaps.total_ns = 30'000;
  CHECK(verdict_of(report) == Verdict::findings);
  scope.gaps.total_ns = 29'000;
  CHECK(verdict_of(report) == Verdict::ok);
}

}  // namespace
}  // namespace lapscope::analyzer
