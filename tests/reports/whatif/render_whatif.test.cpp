#include "reports/whatif/render_whatif.h"

#include <sstream>

#include "analyzer/analysis/what_if.h"
#include "reports/text/layout.h"
#include "tests/analyzer/analysis/support/judged_report.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using test::Containing;

std::string list_of_fixes(const analyzer::CausesResult& causes) {
  std::ostringstream out;
  render_fixes(test::report_of(causes), {.width = 160}, out);
  return out.str();
}

std::string predicted(const analyzer::ReplayResult& replay) {
  analyzer::WhatIfScope scope;
  scope.wall_ns = 1'000'000;
  scope.replay = replay;
  scope.predicted.wall_ns = scope.predicted.least_wall_ns = 300'000;
  analyzer::WhatIfReport report;
  report.scopes = {scope};
  std::ostringstream out;
  render_whatif_text(report, {.width = 160}, out);
  return out.str();
}

TEST_CASE("neither the list of fixes nor a prediction tells a saving of a useless model") {
  analyzer::CausesResult causes = test::busy_engine();
  causes.findings = {test::finding_called("a wait")};
  CHECK_THAT(list_of_fixes(causes), Containing("event-wait  saves 400.00 us (40.0 %)"));
  CHECK_THAT(predicted(causes.replay), Containing("300.00 us"));
  causes.replay.blind_error = -0.79;
  CHECK_THAT(list_of_fixes(causes), Containing("event-wait  saving unknown") &&
                                        Containing("no saving can be shown") &&
                                        !Containing("saves") && !Containing("No saving: "));
  CHECK_THAT(predicted(causes.replay), Containing("What this saves is not known") &&
                                           Containing("unknown") && !Containing("300.00 us"));
}

TEST_CASE("savings name the wall time that they refer to where the replay has another") {
  analyzer::CausesResult causes = test::busy_engine();
  causes.findings = {test::finding_called("a wait")};
  CHECK_THAT(list_of_fixes(causes), !Containing("Savings refer to"));
  causes.replay.wall_ns = 1'100'000;
  const char* const refer =
      "Savings refer to 1.10 ms, to which the model replays the recorded 1.00 ms.";
  CHECK_THAT(list_of_fixes(causes), Containing(refer));
  CHECK_THAT(predicted(causes.replay), Containing(refer) && Containing("saves 800.00 us (72.7 %)"));
}

}  // namespace
}  // namespace lapscope::reports
