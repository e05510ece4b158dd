#include "reports/words/verdict_words.h"

#include "analyzer/measures/measure.h"
#include "tests/analyzer/analysis/support/judged_report.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::CausesResult;
using analyzer::DeviceResult;
using analyzer::FindingResult;
using analyzer::Report;
using test::busy_engine;
using test::device_with;
using test::finding_called;
using test::report_of;

TEST_CASE("nothing found in a run that the model accounts for is ok") {
  const Report report = report_of(busy_engine());
  CHECK(headline(report.devices[0]) == "Nothing to fix: copy to device is busy 90 % of the time.");
}

TEST_CASE("nothing found in a run that is not accounted for is no result") {
  CausesResult causes = busy_engine();
  SECTION("unexplained") { causes.unexplained_share = 0.7; }
  SECTION("replayed shorter") { causes.replay.error = -0.5; }
  SECTION("replayed longer") { causes.replay.error = 0.5; }
  const Report report = report_of(causes);
  CHECK(headline(report.devices[0]).starts_with("Inconclusive: "));
}

TEST_CASE("findings of a run that is not accounted for are no headline") {
  CausesResult causes = busy_engine();
  causes.unexplained_share = 0.7;
  causes.findings.push_back(finding_called("a wait"));
  const Report report = report_of(causes);
  CHECK(headline(report.devices[0]) == "Inconclusive: no cause explains 70 % of the time.");
}

analyzer::BlameRow waiting(std::string_view code, std::int64_t ns) {
  return {code, analyzer::BlameKind::wait, ns};
}

constexpr const char* event_wait_saves_40 =
    "40 % of the time could be saved: streams wait for events after work that they do not need.";

TEST_CASE("the headline is the first finding, and without any the longest wait") {
  CausesResult causes = busy_engine();
  causes.bound_share = 0.1;
  causes.blame = {waiting("host-compute", 960'000)};
  CHECK(headline(device_with(causes)) ==
        "96 % of the time goes into a wait that no fix shortens enough: the GPU waits for CPU code "
        "between CUDA calls.");
  causes.replay.blind_error = -0.99;
  CHECK(headline(device_with(causes)).find("goes into a wait: the GPU waits") != std::string::npos);
  causes.replay.blind_error = 0;
  causes.blame = {waiting("launch-latency", 960'000)};
  CHECK(headline(device_with(causes)) ==
        "96 % of the time goes into a wait with no known fix: work is on its way from the host to "
        "the GPU.");
  causes.findings.push_back(finding_called("a wait"));  // its fix saves 400 us
  CHECK(headline(device_with(causes)) == event_wait_saves_40);
  causes.blame = {{"compute", analyzer::BlameKind::work, 900'000}};
  CHECK(headline(device_with(causes)) == event_wait_saves_40);
}

TEST_CASE("a headline says how sure its saving is") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called("a wait"));
  FindingResult& finding = causes.findings[0];
  finding.most_saving_ns = 600'000;
  finding.predicted.is_open = true;
  CHECK(headline(device_with(causes)).starts_with("40 to 60 % of the time could be saved: "));
  finding.predicted.validity.certainty = analyzer::Certainty::upper_bound;
  CHECK(headline(device_with(causes)).starts_with("At most 60 % of the time could be saved: "));
  finding.predicted.doubt = analyzer::Doubt::unexplained;
  CHECK(headline(device_with(causes)).starts_with("At most 40 to 60 % of the time could be "));
  finding.predicted.validity = {analyzer::ErrorBand{}, {}, analyzer::Certainty::unknown};
  CHECK(headline(device_with(causes)).starts_with("Perhaps 40 to 60 % of the time could be "));
  finding.predicted.doubt = analyzer::Doubt::sharing;
  CHECK(headline(device_with(causes)).starts_with("Perhaps 40 % of the time could be saved: "));
  finding.predicted.is_open = false;
  finding.predicted.validity = {analyzer::ErrorBand{}, {}, analyzer::Certainty::unknown};
  CHECK(headline(device_with(causes)).starts_with("Perhaps 40 % of the time could be saved: "));
}

TEST_CASE("a question is a headline with what it depends on") {
  CausesResult causes = busy_engine();
  causes.questions.push_back(finding_called("a wait"));
  causes.questions[0].most_saving_ns = 600'000;
  causes.questions[0].if_independent = true;
  CHECK(headline(device_with(causes)) ==
        "Up to 60 % of the time could be saved if its ops are independent, which the trace does "
        "not show: streams wait for events after work that they do not need.");
  causes.questions[0].if_apart = true;
  CHECK(headline(device_with(causes))
            .find(" if its ops are independent and kernels beside each other do not slow each "
                  "other down, which") != std::string::npos);
}

TEST_CASE("a device that is hardly idle has no wait as its headline") {
  CausesResult causes = busy_engine();
  causes.bound_share = 0.59;
  causes.blame = {waiting("host-compute", 590'000)};
  DeviceResult device = device_with(causes);
  device.scope.measures = {{&analyzer::wall, analyzer::Nanoseconds{1'000'000}}};
  device.scope.gaps.total_ns = 30'000;
  CHECK(headline(device).find("goes into a wait") != std::string::npos);
  device.scope.gaps.total_ns = 29'000;
  CHECK(headline(device) == "Nothing to fix: copy to device is busy 59 % of the time.");
  device.scope.causes->bound_share = 0.4;
  CHECK(headline(device) == "Nothing to fix: the GPU is busy 97 % of the time.");
}

TEST_CASE("a step that comes first says what it is about, and with which rate") {
  CausesResult causes = busy_engine();
  causes.advice = {{analyzer::PageableCopies{3, 0.96, analyzer::Engine::h2d}, true}};
  CHECK(headline(device_with(causes)) ==
        "Copies of pageable memory take 96 % of the time: the advice pin comes first.");
  analyzer::SlowCopies slow{analyzer::Engine::d2h, 44, 0.98, 0.2, 55.45};
  slow.function = "cudaMemcpy2DAsync";
  slow.is_of_rows = true;
  causes.advice = {{slow, true}};
  CHECK(headline(device_with(causes)) ==
        "Copies to the host go at 0.2 of 55.5 GB/s for 98 % of the time, by cudaMemcpy2DAsync: the "
        "advice slow-copies comes first.");
  causes.looked_for = {{"event-wait", false, {"CUDA_EVENT", "RUNTIME"}, {"CUDA_EVENT"}, true}};
  CHECK(headline(device_with(causes)).ends_with("first (inconclusive: records are missing)."));
}

TEST_CASE("beside advice that may save something there is not nothing to fix") {
  CausesResult causes = busy_engine();
  causes.advice = {{analyzer::BoundByCopies{analyzer::Engine::h2d, 0.9, 55}}};
  CHECK(headline(device_with(causes)).starts_with("Nothing to fix: "));
  causes.advice.push_back({analyzer::PageableCopies{3, 0.1, analyzer::Engine::h2d}});
  CHECK(headline(device_with(causes)).starts_with("No fix that the trace proves: "));
}

TEST_CASE("a name of any length leaves the headline a line") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called(std::string(9000, 'k')));
  CHECK(headline(device_with(causes)).size() < 200);
}

}  // namespace
}  // namespace lapscope::reports
