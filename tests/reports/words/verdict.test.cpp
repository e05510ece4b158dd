#include "reports/words/verdict.h"

#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::CausesResult;
using analyzer::DeviceResult;
using analyzer::FindingResult;
using analyzer::Report;

DeviceResult device_with(CausesResult causes) {
  DeviceResult device;
  device.scope.window = {0, 1'000'000};
  device.scope.causes = std::move(causes);
  return device;
}

Report report_of(CausesResult causes) {
  Report report;
  report.devices.push_back(device_with(std::move(causes)));
  return report;
}

CausesResult busy_engine() {
  CausesResult causes;
  causes.bound_by = "h2d";
  causes.bound_share = 0.9;
  causes.replay.wall_ns = 1'000'000;
  return causes;
}

FindingResult finding_called(std::string what) {
  FindingResult finding;
  finding.code = "event-wait";
  finding.what = std::move(what);
  finding.saving_ns = 400'000;
  finding.saving_share = 0.4;
  return finding;
}

TEST_CASE("nothing found in a run that the model accounts for is ok") {
  const Report report = report_of(busy_engine());
  CHECK(verdict_of(report) == Verdict::ok);
  CHECK(headline(report.devices[0]).find("Nothing to put right") == 0);
}

TEST_CASE("nothing found in a run that is not accounted for is no result") {
  CausesResult causes = busy_engine();
  SECTION("unexplained") { causes.unexplained_share = 0.7; }
  SECTION("replayed shorter") { causes.replay.error = -0.5; }
  SECTION("replayed longer") { causes.replay.error = 0.5; }
  const Report report = report_of(causes);
  CHECK(verdict_of(report) == Verdict::inconclusive);
  CHECK(headline(report.devices[0]).find("Inconclusive: ") == 0);
}

TEST_CASE("a finding is told whatever else is not accounted for") {
  CausesResult causes = busy_engine();
  causes.unexplained_share = 0.7;
  causes.findings.push_back(finding_called("a wait"));
  CHECK(verdict_of(report_of(causes)) == Verdict::findings);
}

TEST_CASE("a prediction says what the unchanged run replays to, unless that is the same") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called("a wait"));
  causes.findings[0].predicted.wall_ns = 600'000;
  CHECK(prediction_sentence(causes.findings[0], device_with(causes).scope).find("replays") ==
        std::string::npos);
  causes.replay = {1'100'000, 0.1};
  CHECK(prediction_sentence(causes.findings[0], device_with(causes).scope)
            .find("instead of 1.000 ms (which replays to 1.100 ms)") != std::string::npos);
}

TEST_CASE("a name of any length leaves the headline a line") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called(std::string(9000, 'k')));
  CHECK(headline(device_with(causes)).size() < 200);
}

}  // namespace
}  // namespace lapscope::reports
