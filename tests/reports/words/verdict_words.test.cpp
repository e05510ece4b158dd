#include <algorithm>

#include "analyzer/measures/measure.h"
#include "reports/words/accuracy.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"
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
using test::range_with;
using test::report_of;

TEST_CASE("where the model check is far off no saving is told") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called("a wait"));
  causes.replay.blind_error = -0.1;
  CHECK(doubt_sentence(device_with(causes).scope).empty());
  causes.replay.blind_error = -0.12;
  CHECK(doubt_sentence(device_with(causes).scope) ==
        "Replayed from typical durations, the unchanged run takes 12.0 % less: what is predicted "
        "may be as far off.");
  CHECK(tells_savings(device_with(causes).scope));
  causes.replay.blind_error = 0.51;
  CHECK_FALSE(tells_savings(device_with(causes).scope));
  CHECK(headline(device_with(causes)) ==
        "The saving of a fix is unknown, because the model check is +51 % off; found: streams "
        "wait for events after work that they do not need.");
  CHECK(prediction_sentence(causes.findings[0], device_with(causes).scope) ==
        "The saving of its fix is unknown: the model check is off by +51 %.");
}

TEST_CASE("what is before and after a steady state is said") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called("a wait"));
  Report report = report_of(busy_engine());
  report.devices[0].sought_steady = true;
  CHECK(focus_sentences(report.devices[0]).size() == 1);
  report.devices[0].ranges.push_back(range_with("steady state", causes));
  auto& steady = report.devices[0].ranges[0].steady.emplace();
  steady.state = {analyzer::SteadyBy::iterations, 11, 1, 0.9, "step *"};
  steady.before = {400'000'000, {{"module-load", 250'000'000}}};
  CHECK(focus_sentences(report.devices[0]) ==
        std::vector<std::string>{
            "Scope: the loop, 11 iterations of NVTX range 'step *' after 1 of warm-up.",
            "Before it: 400.00 ms of set-up (module-load 250.00 ms)."});
  steady.state = {analyzer::SteadyBy::range, 1, 0, 0.263, "main"};
  steady.before.parts[0].ns = 1'000'000;
  steady.after = {900'000'000, {}};
  CHECK(focus_sentences(report.devices[0]) ==
        std::vector<std::string>{
            "Scope: NVTX range 'main', which holds 26.3 % of the GPU work, the most of any.",
            "Before it: 400.00 ms of set-up. After it: 900.00 ms."});
}

bool tells(const Report& report, const std::string& text) {
  const auto sentences = trust_sentences(report);
  return std::any_of(sentences.begin(), sentences.end(), [&text](const std::string& sentence) {
    return sentence.find(text) != std::string::npos;
  });
}

TEST_CASE("of a range that is not accounted for that is said") {
  CausesResult causes = busy_engine();
  causes.replay.error = 0.2;
  Report report = report_of(busy_engine());
  report.devices[0].ranges.push_back(range_with("step", causes));
  CHECK(tells(report, "The model does not account for range 'step' on device 0:"));
}

TEST_CASE("a cause whose records are missing says what settles it") {
  CausesResult causes = busy_engine();
  causes.looked_for = {{"event-wait", false, {"CUDA_EVENT", "RUNTIME"}, {"CUDA_EVENT"}, true},
                       {"host-sync", false, {"CUDA_EVENT", "RUNTIME"}, {"CUDA_EVENT"}, true}};
  const Report report = report_of(causes);
  const char* sentence =
      "Unknown whether event-wait and host-sync cost time: the trace has no records of CUDA_EVENT.";
  CHECK(tells(report, sentence));
  CHECK(headline(report.devices[0]) ==
        "Inconclusive: copy to device is busy 90 % of the time; 2 causes are not checked, "
        "because the trace has no records of CUDA_EVENT.");
}

TEST_CASE("what no cause explains is told from 1 % on") {
  CausesResult causes = busy_engine();
  causes.unexplained_share = 0.009;
  CHECK_FALSE(tells(report_of(causes), "No cause explains"));
  causes.unexplained_share = 0.021;
  CHECK(tells(report_of(causes), "No cause explains 2.1 % of the time of device 0."));
  CHECK_FALSE(tells(report_of(causes), "does not account"));
  causes.unexplained_share = 0.2;
  CHECK(tells(report_of(causes), "The model does not account for device 0:"));
}

TEST_CASE("of a few ranges each replay is told, of many the worst") {
  Report report = report_of(busy_engine());
  CausesResult causes = busy_engine();
  for (int i = 1; i <= 4; ++i) {
    causes.replay.blind_error = 0.01 * (i == 2 ? -2.5 : i);
    causes.replay.blind_wall_ns = 1'000'000;
    report.devices[0].ranges.push_back(range_with("step " + std::to_string(i), causes));
  }
  CHECK(tells(report,
              "Model check of range 'step 2' on device 0: replayed from typical durations it takes "
              "1.00 ms (-2.5 %)."));
  CHECK(tells(report,
              "range 'step 4' on device 0: replayed from typical durations it takes 1.00 "
              "ms (+4.0 %)"));
  causes.replay.blind_error = -0.05;
  causes.unexplained_share = 0.03;
  report.devices[0].ranges.push_back(range_with("step 5", causes));
  CHECK_FALSE(tells(report, "range 'step 2'"));
  CHECK(tells(report,
              "Model check of 5 ranges on device 0: worst error -5.0 %, in 'step 5'; most "
              "unexplained time 3.0 %, in 'step 5'."));
  CHECK_FALSE(tells(report, "of these ranges"));
  causes.replay.error = 0.5;
  report.devices[0].ranges.push_back(range_with("step 6", causes));
  CHECK(tells(report, "The model does not account for 1 of these ranges"));
}

DeviceResult device_with_kernels(analyzer::Value stretch) {
  CausesResult causes = busy_engine();
  causes.bound_by = "compute";
  DeviceResult device = device_with(std::move(causes));
  const auto ns = [](std::int64_t count) { return analyzer::Nanoseconds{count}; };
  device.scope.measures = {{&analyzer::wall, ns(1'000'000)},
                           {&analyzer::busy, ns(1'000'000)},
                           {&analyzer::sum, ns(4'000'000)},
                           {&analyzer::stretch, stretch}};
  return device;
}

TEST_CASE("an overlap of kernels that only makes them longer is not praised") {
  // Four kernels run at the same time, each for four times as long as alone.
  const DeviceResult shared = device_with_kernels(analyzer::Ratio{4'000'000, 1'000'000});
  CHECK(overlap_sentence(shared.scope) ==
        "GPU busy 100 % of 1.00 ms; overlap hides 0.0 % of the time that ops take; kernels share "
        "the multiprocessors and take 4.0 × their time alone.");
  const DeviceResult apart = device_with_kernels(analyzer::Ratio{4'000'000, 4'000'000});
  CHECK(overlap_sentence(apart.scope) ==
        "GPU busy 100 % of 1.00 ms; overlap hides 75 % of the time that ops take.");
  DeviceResult unknown = device_with_kernels(analyzer::Undefined{"not shown"});
  CHECK(overlap_sentence(unknown.scope) == overlap_sentence(apart.scope));
  unknown.scope.measures.push_back({&analyzer::kernel_overlap, analyzer::Ratio{1, 2}});
  CHECK(overlap_sentence(unknown.scope) ==
        "GPU busy 100 % of 1.00 ms; overlap hides at most 75 % of the time that ops take.");
  DeviceResult idle = device_with_kernels(analyzer::Ratio{4'000'000, 1'000'000});
  idle.scope.measures[1].value = analyzer::Nanoseconds{500'000};
  CHECK(overlap_sentence(idle.scope).find("overlap hides 50 % of") != std::string::npos);
}

TEST_CASE("where other work fills the time the device is not called idle") {
  DeviceResult device = device_with_kernels(analyzer::Undefined{"not shown"});
  device.scope.measures[1].value = analyzer::Nanoseconds{690'000};
  device.scope.measures[2].value = analyzer::Nanoseconds{690'000};
  device.scope.measures.push_back({&analyzer::other_work, analyzer::Nanoseconds{310'000}});
  CHECK(overlap_sentence(device.scope) ==
        "GPU busy 69 % of 1.00 ms, and 31 % more with other work only; nothing overlaps.");
}

TEST_CASE("what a fix saves is shown as a range where it depends on what kernels share") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called("a wait"));
  FindingResult& finding = causes.findings[0];
  finding.predicted.wall_ns = 600'000;
  finding.predicted.least_wall_ns = 400'000;
  finding.most_saving_ns = 600'000;
  finding.predicted.is_open = true;
  const DeviceResult device = device_with(causes);
  CHECK(saving_sentence(finding, device.scope)
            .find("Saves 400.00 us (40.0 %), up to 600.00 us if kernels beside each other do not "
                  "slow each other down: predicted 600.00 us") == 0);
  // These kernels ran beside others, and may take less time alone.
  finding.predicted.longer = analyzer::Sharing::least;
  CHECK(saving_sentence(finding, device.scope)
            .find("up to 600.00 us if kernels beside each other slow each other down as much as "
                  "they can") != std::string::npos);
  finding.predicted.doubt = analyzer::Doubt::unexplained;
  CHECK(saving_sentence(finding, device.scope)
            .find("up to 600.00 us if delays that nothing explains end with it: predicted") !=
        std::string::npos);
  finding.predicted.is_open = false;  // no unknown that is worth stating
  CHECK(saving_sentence(finding, device.scope).find("up to") == std::string::npos);
}

TEST_CASE("a saving of two fixes names the other one") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called("a wait"));
  const std::string alone = saving_sentence(causes.findings[0], device_with(causes).scope);
  CHECK(alone.find("together") == std::string::npos);
  causes.findings[0].then_also = "host-sync";
  const std::string both = saving_sentence(causes.findings[0], device_with(causes).scope);
  CHECK(both.find("%) together with host-sync: predicted") != std::string::npos);
}

analyzer::Validity validity_of(analyzer::FixClass fixes) {
  const auto is_of_class = analyzer::PredictionKind::fix_class;
  const analyzer::ErrorBand band{590'000, 615'000,
                                 fixes,   {is_of_class, "", fixes, 23, 40, 0.024, 0.9, 1.07},
                                 false,   {40, 0.9}};
  return {band, {}, analyzer::Certainty::measured};
}

TEST_CASE("with findings stands what predictions missed by") {
  CausesResult causes = busy_engine();
  const analyzer::Validity host = validity_of(analyzer::FixClass::host);
  const std::string clause = accuracy_clause(*host.band);
  CHECK(clause == "-10 to +7 % for fixes on the host (23 recorded programs, median error 2.4 %)");
  CHECK_FALSE(tells(report_of(causes), clause));
  causes.findings.push_back(finding_called("a wait"));
  causes.findings[0].predicted.validity = host;
  CHECK(tells(report_of(causes), clause));
  CHECK(tells(report_of(causes), "it held for 90 % of 40 programs, each left out in turn"));
  const analyzer::Validity device = validity_of(analyzer::FixClass::device);
  CHECK_FALSE(tells(report_of(causes), accuracy_clause(*device.band)));
}

TEST_CASE("a prediction without a band says of what there is no evidence") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called("a wait"));
  auto& predicted = causes.findings[0].predicted;
  predicted.wall_ns = 600'000;
  predicted.validity.not_for = analyzer::NotValidated::one_site;
  CHECK(prediction_sentence(causes.findings[0], device_with(causes).scope)
            .find("predicted 600.00 us (unknown for a fix at one call site) of 1.00 ms") !=
        std::string::npos);
  CHECK(tells(report_of(causes), "No recorded programs show how far these predictions are off."));
  predicted.validity.not_for = analyzer::NotValidated::faster_engine;
  CHECK(words_of(predicted.validity) == "unknown for a faster engine");
}

TEST_CASE("a prediction is told with its band, and how sure the saving is") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called("a wait"));
  auto& predicted = causes.findings[0].predicted;
  predicted.wall_ns = 600'000;
  predicted.validity = validity_of(analyzer::FixClass::device);
  const auto sentence = [&] {
    return prediction_sentence(causes.findings[0], device_with(causes).scope);
  };
  CHECK(sentence().find("predicted 600.00 us (590.00 to 615.00 us, measured) of 1.00") !=
        std::string::npos);
  predicted.validity.certainty = analyzer::Certainty::unknown;
  CHECK(sentence().find("(590.00 to 615.00 us, unsure)") != std::string::npos);
  CHECK(sentence().find("at most") == std::string::npos);
  predicted.validity.certainty = analyzer::Certainty::upper_bound;
  CHECK(sentence().find("Saves at most 400.00 us (40.0 %)") == 0);
  CHECK(sentence().find("(590.00 to 615.00 us, upper bound)") != std::string::npos);
}

TEST_CASE("a band names its unit once where both ends have the same") {
  CHECK(words_of(analyzer::ErrorBand{2'079'000, 2'560'000}) == "2.08 to 2.56 ms");
  CHECK(words_of(analyzer::ErrorBand{900'000, 1'100'000}) == "900.00 us to 1.10 ms");
}

TEST_CASE("a prediction and its saving add up to the wall that they are of") {
  CausesResult causes = busy_engine();
  causes.findings.push_back(finding_called("a wait"));
  causes.replay = {1'100'000, 0.1};
  causes.findings[0].predicted.wall_ns = 700'000;
  const std::string sentence = prediction_sentence(causes.findings[0], device_with(causes).scope);
  CHECK(sentence.starts_with("Saves 400.00 us (36.4 %): predicted 700.00 us"));
  CHECK(sentence.find(") of 1.10 ms") != std::string::npos);
}

TEST_CASE("what waited is told, and that a fix may save more than that") {
  FindingResult finding = finding_called("a wait");
  finding.occurrences = 24;
  finding.waited_ns = 500'000;
  CHECK(waited_words(finding) == "24 ops waited 500.00 us");
  finding.waited_ns = 84'250;
  CHECK(waited_words(finding) ==
        "24 ops waited 84.25 us; what comes after could start earlier, too");
}

using namespace analyzer;

RangeResult range_named(const std::string& name, ScopeKind kind, std::int64_t instances) {
  RangeResult range;
  range.kind = kind;
  range.name = name;
  range.instances = instances;
  return range;
}

FindingResult finding_of(std::string_view code) {
  FindingResult finding;
  finding.code = code;
  return finding;
}

TEST_CASE("a range is told by its name, its device, and how often it ran") {
  DeviceResult device;
  device.id = 1;
  device.name = "H200";
  const RangeResult step = range_named(
      "st\x1b"
      "ep",
      ScopeKind::nvtx, 12);
  const RangeResult brackets = range_named("cudaProfilerStart/Stop", ScopeKind::profiler, 1);
  CHECK(title_of(step) == "range 'st?ep', 12 times");
  CHECK(title_of(step, &device) == "range 'st?ep' of device 1 (H200), 12 times");
  CHECK(title_of(brackets) == "cudaProfilerStart/Stop, once");
}

TEST_CASE("a fix that was predicted of a range is asked for of that range") {
  const FindingResult finding = finding_of("host-sync");
  const RangeResult step = range_named("it's", ScopeKind::nvtx, 1);
  const RangeResult brackets = range_named("cudaProfilerStart/Stop", ScopeKind::profiler, 1);
  RangeResult steady = range_named("steady state", ScopeKind::steady, 1);
  steady.steady.emplace();
  Report report;
  report.trace.file = "my run.sqlite";
  const auto command = [&](const RangeResult* range) {
    return whatif_command(report, finding, range);
  };
  const std::string begin = "lapscope whatif 'my run.sqlite'";
  CHECK(command(nullptr) == begin + " --whole --fix host-sync");
  CHECK(command(&steady) == begin + " --fix host-sync");
  CHECK(command(&step) == begin + " --range 'it'\\''s' --fix host-sync");
  CHECK(command(&brackets) == begin + " --profiler-brackets --fix host-sync");
  report.first_op = 1'000'000;
  report.window = Interval{3'500'000, 5'000'001};
  CHECK(command(nullptr) == begin + " --window 2.5 4.000001 --fix host-sync");
}

TEST_CASE("findings are numbered device by device, those of ranges before those of the whole") {
  const auto with = [](std::string_view code) {
    ScopeResult scope;
    scope.causes.emplace().findings = {finding_of(code)};
    return scope;
  };
  Report report;
  report.devices.resize(3);
  report.devices[0].scope = with("a-whole");
  report.devices[0].ranges.resize(2);
  report.devices[0].ranges[1].scope = with("a-range");
  report.devices[2].scope = with("c-whole");
  std::vector<std::string_view> codes;
  for (const ShownFinding& shown : shown_findings(report)) codes.push_back(shown.finding->code);
  CHECK(codes == std::vector<std::string_view>{"a-range", "a-whole", "c-whole"});
}

}  // namespace

}  // namespace lapscope::reports
