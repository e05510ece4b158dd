#include <filesystem>
#include <sstream>

#include "analyzer/summary/summary.h"
#include "analyzer/summary/summary_file.h"
#include "readers/read_trace.h"
#include "reports/words/summary_words.h"
#include "tests/analyzer/summary/support/recorded_run.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::analyzer {
namespace {

std::string written(std::span<const RunSummary> runs) {
  std::ostringstream out;
  write_summary(runs, out);
  return out.str();
}

std::string written(const RunSummary& run) { return written(std::span(&run, 1)); }

std::vector<RunSummary> read_text(const std::string& text) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "base.json", text);
  return read_summary(folder / "base.json");
}

// Returns the complaint about a summary whose text was changed.
std::string complaint(const std::string& text) {
  try {
    read_text(text);
  } catch (const UnreadableSummary& unreadable) {
    return unreadable.what();
  }
  FAIL("this was read: " << text);
  return "";
}

std::string with(std::string text, const std::string& part, const std::string& replacement) {
  const auto found = text.find(part);
  REQUIRE(found != std::string::npos);
  return text.replace(found, part.size(), replacement);
}

using test::Containing;

AnalyzeOptions with_ranges() {
  AnalyzeOptions options;
  options.ranges = {"pipeline"};
  options.profiler_brackets = true;
  return options;
}

CausesSummary some_causes() {
  return {{{"compute", BlameKind::work, 700}, {"event-wait", BlameKind::wait, 300}},
          0.012,
          0.034,
          {{"event-wait", "waits for copies", 250, 0.25, 7, "It waits.", "Do not wait."},
           {"host-sync", "waits", 10, 0.01, 2, "The host waits.", "Wait once.",
            SourcePlace{"src/tiles.cu", 120, "process_tile"}}},
          {{"event-wait", 0.25}, {"host-sync", 0.01}}};
}

TEST_CASE("a summary has the figures of its report") {
  const Report report = test::recorded_report("stream_pipeline-overlapped", with_ranges());
  const RunSummary run = summarize(report, with_ranges(), reports::wording);
  REQUIRE(run.devices.size() == 1);
  REQUIRE(run.devices[0].scopes.size() == 3);
  const ScopeResult& whole = report.devices[0].scope;
  const ScopeSummary& summary = run.devices[0].scopes[0];
  REQUIRE(summary.measures.size() == measures().size());
  for (std::size_t i = 0; i < measures().size(); ++i) {
    INFO(measures()[i]->name);
    REQUIRE(summary.measures[i].measure == measures()[i]);
    if (const auto* ns = std::get_if<Nanoseconds>(&whole.measures[i].value)) {
      REQUIRE(summary.measures[i].value == static_cast<double>(ns->count));
    } else if (const auto* ratio = std::get_if<Ratio>(&whole.measures[i].value)) {
      REQUIRE(summary.measures[i].value == ratio->value());
    } else {
      REQUIRE_FALSE(summary.measures[i].value);
      REQUIRE_FALSE(summary.measures[i].reason.empty());
    }
  }
  std::int64_t gaps = 0;
  for (const auto& [code, ns] : summary.gaps.by_cause) gaps += ns;
  REQUIRE(gaps == summary.gaps.total_ns);
  REQUIRE(find_scope(run.devices[0], ScopeKind::nvtx, "pipeline")->ops == 24 * 4);
  REQUIRE(find_scope(run.devices[0], ScopeKind::profiler, "cudaProfilerStart/Stop") != nullptr);
  REQUIRE(find_scope(run.devices[0], ScopeKind::nvtx, "nope") == nullptr);
}

TEST_CASE("kernels of a range are those that it launched") {
  const RunSummary run = test::recorded_run("stream_pipeline-overlapped", with_ranges());
  std::int64_t whole = 0;
  std::int64_t range = 0;
  for (const auto& kernel : run.devices[0].scopes[0].kernels) whole += kernel.ops;
  const auto* pipeline = find_scope(run.devices[0], ScopeKind::nvtx, "pipeline");
  for (const auto& kernel : pipeline->kernels) {
    range += kernel.ops;
    REQUIRE(kernel.shared_ns > 0);
    REQUIRE(kernel.shared_ns <= kernel.sum_ns);
  }
  REQUIRE(whole == 24 + 24 + 3);  // 3 ops belong to the calibration
  REQUIRE(range == 24 + 24);
}

TEST_CASE("what is written is read again, for every recorded trace, and takes few kB") {
  for (const auto& entry : std::filesystem::directory_iterator(LAPSCOPE_TEST_TRACES)) {
    if (entry.path().extension() != ".sqlite") continue;
    INFO(entry.path());
    const RunSummary run = test::recorded_run(entry.path().stem().string());
    const std::string text = written(run);
    REQUIRE(text.size() < 8'000 * run.devices.size());
    const auto again = read_text(text);
    REQUIRE(again.size() == 1);
    REQUIRE_FALSE(again[0].read_from.empty());
    REQUIRE(again[0].source() == again[0].read_from);
    REQUIRE(written(again) == text);
  }
}

TEST_CASE("causes are read as they were written") {
  RunSummary run = test::recorded_run("stream_pipeline-serial");
  run.devices[0].scopes[0].causes = some_causes();
  run.devices[0].scopes[0].causes->model_error = -0.79;
  const auto causes = read_text(written(run))[0].devices[0].scopes[0].causes;
  REQUIRE(causes);
  CHECK(causes->replay_error == 0.012);
  CHECK(causes->model_error == -0.79);
  CHECK(causes->unexplained_share == 0.034);
  REQUIRE(causes->blame.size() == 2);
  CHECK(causes->blame[1].code == "event-wait");
  CHECK(causes->blame[1].kind == BlameKind::wait);
  CHECK(causes->blame[1].ns == 300);
  REQUIRE(causes->findings.size() == 2);
  CHECK_FALSE(causes->findings[0].at);
  CHECK(causes->findings[1].at == SourcePlace{"src/tiles.cu", 120, "process_tile"});
  CHECK(causes->findings[0].saving_share == 0.25);
  CHECK(causes->findings[0].fix == "Do not wait.");
  CHECK(causes->savings == some_causes().savings);
  run.devices[0].scopes[0].causes.reset();
  CHECK_FALSE(read_text(written(run))[0].devices[0].scopes[0].causes);
}

TEST_CASE(
    "the default scope is read as it was written, and what does not tell it is read as such") {
  AnalyzeOptions options;
  options.focus = Focus::steady;
  const Report report = test::recorded_report("stream_pipeline-serial", options);
  const RunSummary run = summarize(report, options, reports::wording);
  const ScopeSummary* judged = judged_of(run.devices.at(0));
  REQUIRE(judged);
  CHECK(judged->ops == judged_of(report.devices.at(0)).ops);
  const std::string text = written(run);
  const RunSummary read = read_text(text)[0];
  const ScopeSummary* again = judged_of(read.devices.at(0));
  REQUIRE(again);
  CHECK(again->ops == judged->ops);
  CHECK(are_alike(*judged, *again));
  CHECK(again->words.scope == "cudaProfilerStart/Stop");
  CHECK(again->steady->instances == judged->steady->instances);
  CHECK(again->steady->work_share == judged->steady->work_share);
  // A run has a default scope only if the analysis looked for a steady state. Old summaries do not
  // say whether it did.
  CHECK_FALSE(judged_of(test::recorded_run("stream_pipeline-serial").devices.at(0)));
  CHECK_FALSE(judged_of(read_text(with(text, "\"sought_steady\"", "\"x\""))[0].devices.at(0)));
  RunSummary whole = run;
  std::erase_if(whole.devices[0].scopes,
                [](const ScopeSummary& scope) { return scope.kind == ScopeKind::steady; });
  const RunSummary without = read_text(written(whole))[0];
  REQUIRE(judged_of(without.devices.at(0)));
  CHECK(judged_of(without.devices[0])->words.scope.empty());
  CHECK_FALSE(are_alike(*judged, *judged_of(without.devices[0])));
}

TEST_CASE("a summary holds repeats") {
  const RunSummary run = test::recorded_run("stream_pipeline-serial");
  const std::vector<RunSummary> runs = {run, run, run};
  REQUIRE(read_text(written(runs)).size() == 3);
}

TEST_CASE("measures that this lapscope does not know are left out") {
  const std::string text = written(test::recorded_run("stream_pipeline-serial"));
  const auto again = read_text(with(text, "\"copy_hidden\"", "\"from_the_future\""));
  REQUIRE(find(again[0].devices[0].scopes[0], copy_hidden) == nullptr);
  REQUIRE(find(again[0].devices[0].scopes[0], overlap_ratio) != nullptr);
}

TEST_CASE("what is wrong with a summary is told with its file and place") {
  const std::string text = written(test::recorded_run("stream_pipeline-serial"));
  CHECK_THAT(complaint(""), Containing("base.json") && Containing("no JSON"));
  CHECK_THAT(complaint(text.substr(0, text.size() / 2)), Containing("cut short"));
  CHECK_THAT(complaint("{}"), Containing("schema is missing"));
  CHECK_THAT(complaint(with(text, "summary/1", "summary/2")), Containing("lapscope-summary/2"));
  CHECK_THAT(complaint(with(text, "\"devices\"", "\"devises\"")),
             Containing("runs[0].devices is missing"));
  CHECK_THAT(complaint(with(text, "\"ops\": 99", "\"ops\": \"many\"")),
             Containing("runs[0].devices[0].scopes[0].ops is no whole number"));
  CHECK_THAT(complaint(with(text, "\"ops\": 99", "\"ops\": 18446744073709551615")),
             Containing("is too large"));
  CHECK_THAT(complaint(with(text, "\"overlap_ratio\": ", "\"overlap_ratio\": [], \"x\": ")),
             Containing("measures.overlap_ratio is no number"));
  CHECK_THAT(complaint(with(text, "\"overlap_ratio\": ", "\"overlap_ratio\": 1e999, \"x\": ")),
             Containing("no JSON"));
  CHECK_THAT(complaint(with(text, "\"trust\": \"sound\"", "\"trust\": \"high\"")),
             Containing("'high'"));
  CHECK_THAT(complaint("{\"schema\": \"lapscope-summary/1\", \"runs\": []}"),
             Containing("runs is empty"));
}

TEST_CASE("a trace does not look like a summary, and what is not there like nothing") {
  CHECK_FALSE(looks_like_summary(LAPSCOPE_TEST_TRACES "/stream_pipeline-serial.sqlite"));
  CHECK_FALSE(looks_like_summary("/none/base.json"));
  CHECK_FALSE(looks_like_summary(LAPSCOPE_TEST_TRACES));
  CHECK_FALSE(looks_like_summary("/proc/kmsg"));  // a read would wait for a message
  const test::TemporaryFolder folder;
  test::write_file(folder / "base.json", "\n {}");
  CHECK(looks_like_summary(folder / "base.json"));
}

TEST_CASE("names that are not UTF-8 do not keep a summary from being written") {
  RunSummary run = test::recorded_run("stream_pipeline-serial");
  run.trace.command = "./a \xff\xfe";
  REQUIRE_FALSE(read_text(written(run))[0].trace.command.empty());
}

TEST_CASE("a summary tells how it came about, and what does not is read as such") {
  AnalyzeOptions options;
  options.communication = {"my_reduce*"};
  const RunSummary run = test::recorded_run("pipeline-fixed", options);
  const std::string text = written(run);
  const auto provenance = read_text(text)[0].provenance;
  REQUIRE(provenance);
  CHECK(provenance->communication == options.communication);
  CHECK(provenance->recorded == run.trace.recorded);
  CHECK_FALSE(provenance->identity.empty());
  const RunSummary other = test::recorded_run("pipeline-broken");
  CHECK(are_same_run(read_text(text)[0], run));
  CHECK_FALSE(are_same_run(other, run));
  CHECK(provenance->range_threads == RangeThreads::helpers);
  options.range_threads = RangeThreads::own;
  CHECK(read_text(written(test::recorded_run("pipeline-fixed", options)))[0]
            .provenance->range_threads == RangeThreads::own);
  // Older summaries do not store which threads were chosen. Their choice is read as `own`.
  CHECK(read_text(with(text, "\"range_threads\"", "\"x\""))[0].provenance->range_threads ==
        RangeThreads::own);
  const RunSummary unknown = read_text(with(text, "\"provenance\"", "\"x\""))[0];
  CHECK_FALSE(unknown.provenance);
  CHECK_FALSE(are_same_run(unknown, unknown));
}

TEST_CASE("what fixes would save is kept though it be no finding") {
  const RunSummary run = test::recorded_run("default-stream-memcpy-broken");
  const CausesSummary& causes = *run.devices[0].scopes[0].causes;
  for (const FindingSummary& finding : causes.findings) {
    CHECK(finding.saving_share >= CauseOptions().least_saving);
    CHECK(finding.saving_ns >= CauseOptions().least_saving_ns);
    CHECK(causes.savings.at(finding.code) >= finding.saving_share);
  }
  const double saving = causes.savings.at("default-stream-barrier");
  CHECK((0.01 < saving && saving < CauseOptions().least_saving));
}

// Gates judge summaries, so a summary must have the same causes as the analysis.
TEST_CASE("a summary has the findings and questions of the analysis") {
  for (const char* const name :
       {"host/collect", "nccl-all-reduce-broken", "pairs/lock-around-waits-fixed"}) {
    INFO(name);
    const std::string file = LAPSCOPE_TEST_TRACES "/" + std::string(name) + ".sqlite";
    const Report report = analyze(read_trace(file), {});
    const CausesResult& shown = *report.devices[0].scope.causes;
    const Report summarized = test::recorded_report(name);
    const CausesResult& kept = *summarized.devices[0].scope.causes;
    for (const auto list : {&CausesResult::findings, &CausesResult::questions}) {
      REQUIRE((kept.*list).size() == (shown.*list).size());
      for (std::size_t i = 0; i < (shown.*list).size(); ++i) {
        CHECK((kept.*list)[i].code == (shown.*list)[i].code);
        CHECK((kept.*list)[i].saving_ns == (shown.*list)[i].saving_ns);
        CHECK((kept.*list)[i].most_saving_ns == (shown.*list)[i].most_saving_ns);
      }
    }
    CHECK(shown.small_savings.empty());
  }
}

TEST_CASE("a possible saving that is too small for a question is kept for gates") {
  const RunSummary run = test::recorded_run("alloc-in-loop-broken");
  const CausesSummary& causes = *run.devices[0].scopes[0].causes;
  const double possible = causes.possible.value().at("stream-order");
  CHECK((0.001 < possible && possible < CauseOptions().least_saving));
}

}  // namespace
}  // namespace lapscope::analyzer
