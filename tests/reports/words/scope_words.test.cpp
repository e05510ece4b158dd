#include "reports/words/scope_words.h"
#include "tests/catch.h"
#include "tests/reports/support/sample_reports.h"

namespace lapscope::reports {
namespace {

TEST_CASE("a range tells of its bare runs wherever its work is told") {
  analyzer::RangeResult range;
  CHECK(work_sentences(range).empty());
  range.bare = analyzer::BareWall{};
  range.bare->reason = "a range was never closed";
  CHECK(work_sentences(range) == "Bare n/a: a range was never closed.");
}

TEST_CASE("a verdict on an incomplete recording says so in the same sentence") {
  analyzer::Report report = test::report_bound_by_engine();
  const analyzer::DeviceResult& device = report.devices.at(0);
  const std::string whole = first_line(report, device, nullptr);
  report.trust = analyzer::Trust::inconclusive;
  CHECK(first_line(report, device, nullptr) ==
        whole.substr(0, whole.size() - 1) + " (inconclusive: the recording is incomplete).");
  // The reason is named only once.
  report.devices[0].scope.impossible_ops = 2;
  CHECK(first_line(report, device, nullptr) ==
        "Inconclusive: 2 ops with impossible times may belong here.");
}

}  // namespace
}  // namespace lapscope::reports
