#include "analyzer/diff/comparison.h"

#include "tests/analyzer/gate/support/made_run.h"
#include "tests/analyzer/summary/support/recorded_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Containing;
using test::made_run;

// Summarizes a recorded trace as `diff` does.
RunSummary default_run(const std::string& name) {
  AnalyzeOptions options;
  options.focus = Focus::automatic;
  return test::recorded_run(name, options);
}

// Makes one repeat for each of these wall times.
std::vector<RunSummary> walls(std::initializer_list<double> times) {
  std::vector<RunSummary> runs;
  for (const double time : times) runs.push_back(made_run({{&wall, time}}));
  return runs;
}

const FigureChange& figure(const Comparison& comparison, const Measure& measure) {
  for (const MeasureChange& change : comparison.works.at(0).measures) {
    if (change.measure == &measure) return change.figure;
  }
  FAIL("no " << measure.name);
  throw 0;
}

TEST_CASE("one run on each side differs, and nobody knows whether by noise") {
  const Comparison comparison = compare_runs(walls({1000}), walls({1200}));
  const FigureChange& change = figure(comparison, wall);
  CHECK(*change.difference() == 200);
  CHECK(change.change == Change::unclear);
  CHECK_FALSE(change.chance);
  CHECK(comparison.trouble.empty());
}

TEST_CASE("four repeats on each side are enough to tell worse from better") {
  const Comparison worse =
      compare_runs(walls({1000, 1001, 1002, 1003}), walls({1100, 1101, 1102, 1103}));
  CHECK(figure(worse, wall).change == Change::worse);
  CHECK(*figure(worse, wall).chance < 0.05);
  const Comparison better =
      compare_runs(walls({1100, 1101, 1102, 1103}), walls({1000, 1001, 1002, 1003}));
  CHECK(figure(better, wall).change == Change::better);
  const Comparison same =
      compare_runs(walls({1000, 1003, 1001, 1004}), walls({1002, 1000, 1005, 1001}));
  CHECK(figure(same, wall).change == Change::same);
}

TEST_CASE("more of a measure is better, worse or neither") {
  const std::vector<double> low = {1, 2, 3, 4};
  const std::vector<double> high = {5, 6, 7, 8};
  CHECK(figure_change(low, high, Better::more).change == Change::better);
  CHECK(figure_change(low, high, Better::less).change == Change::worse);
  CHECK(figure_change(low, high, Better::neither).change == Change::different);
  CHECK(figure_change({5}, {5}, Better::more).change == Change::same);
  CHECK(figure_change({}, {5}, Better::more).change == Change::unclear);
  CHECK_FALSE(figure_change({}, {5}, Better::more).difference());
}

TEST_CASE("no comparison of a run with itself finds a difference") {
  const std::vector<RunSummary> run = {default_run("stream_pipeline-overlapped")};
  const Comparison comparison = compare_runs(run, run);
  REQUIRE(comparison.works.size() == 1);
  for (const MeasureChange& change : comparison.works[0].measures) {
    CHECK(change.figure.change == Change::same);
  }
  for (const KernelChange& kernel : comparison.works[0].kernels) {
    CHECK(kernel.sum_ns.change == Change::same);
  }
  CHECK(comparison.notes.empty());
}

TEST_CASE("of a broken and a fixed program the recordings differ as the programs do") {
  const std::vector<RunSummary> broken = {default_run("stream_pipeline-default-stream")};
  const std::vector<RunSummary> fixed = {default_run("stream_pipeline-overlapped")};
  const Comparison comparison = compare_runs(broken, fixed);
  CHECK(*figure(comparison, overlap_ratio).difference() > 0.6);
  CHECK(*figure(comparison, wall).difference() < 0);
  REQUIRE(comparison.notes.size() == 1);
  CHECK(comparison.notes[0].kind == RemarkKind::commands_differ);
  const auto& kernels = comparison.works[0].kernels;
  REQUIRE(kernels.size() == 2);
  for (const KernelChange& kernel : kernels) {
    CHECK(kernel.shared.before->median == 0);  // every op waits for the default stream
    CHECK(kernel.shared.after->median > 0.9);
    CHECK(*kernel.ops.difference() == 0);
  }
}

TEST_CASE("idle time is compared by cause, one that is new included, most difference first") {
  auto before = walls({1000});
  auto after = walls({1000});
  before[0].devices[0].scopes[0].gaps.by_cause = {{"host-sync", 300}, {"host-call", 10}};
  after[0].devices[0].scopes[0].gaps.by_cause = {{"host-call", 20}, {"module-load", 100}};
  const auto gaps = compare_runs(before, after).works[0].gaps;
  REQUIRE(gaps.size() == 3);
  CHECK(gaps[0].code == "host-sync");
  CHECK(*gaps[0].ns.difference() == -300);
  CHECK(gaps[1].code == "module-load");
  CHECK(*gaps[1].ns.difference() == 100);
}

TEST_CASE("host time is compared by function, where threads of both sides were looked at") {
  const Comparison comparison = compare_runs({{default_run("host/loader_in_thread")}},
                                             {{default_run("host/loader_in_worker")}});
  const auto& host_time = comparison.works.at(0).host_time;
  REQUIRE(host_time.size() > 1);
  // In the later run, the thread waits for a worker that loads the data.
  const auto difference = [&](const std::string& begin) {
    const auto found = std::find_if(host_time.begin(), host_time.end(), [&](const TimeChange& one) {
      return one.code.starts_with(begin);
    });
    REQUIRE(found != host_time.end());
    return found->ns.difference().value_or(0);
  };
  CHECK(difference("Data.__getitem__ (host_time.py), data_loading") < -2e9);
  CHECK(difference("loader (host_time.py), process_wait") > 2e9);
  CHECK(compare_runs({{default_run("pipeline-broken")}}, {{default_run("pipeline-fixed")}})
            .works.at(0)
            .host_time.empty());
}

TEST_CASE("findings are gained, lost and kept where both sides know causes") {
  auto before = walls({1000});
  auto after = walls({1000});
  CHECK_FALSE(compare_runs(before, after).works[0].knows_findings);
  test::add_findings(before[0], {{"event-wait", 0.3}, {"host-sync", 0.2}});
  CHECK_FALSE(compare_runs(before, after).works[0].knows_findings);
  test::add_findings(after[0], {{"host-sync", 0.1}, {"copy-engine", 0.05}});
  before[0].devices[0].scopes[0].causes->blame = {{"compute", BlameKind::work, 700}};
  after[0].devices[0].scopes[0].causes->blame = {{"compute", BlameKind::work, 900}};
  const WorkChange work = compare_runs(before, after).works[0];
  REQUIRE(work.knows_findings);
  REQUIRE(work.gained.size() == 1);
  CHECK(work.gained[0].code == "copy-engine");
  REQUIRE(work.lost.size() == 1);
  CHECK(work.lost[0].code == "event-wait");
  REQUIRE(work.kept.size() == 1);
  CHECK(work.kept[0].before_share == 0.2);
  CHECK(work.kept[0].after_share == 0.1);
  REQUIRE(work.blame.size() == 1);
  CHECK(*work.blame[0].ns.difference() == 200);
}

TEST_CASE("a finding that fewer than half of the repeats have is none") {
  auto before = walls({1000, 1000, 1000});
  auto after = walls({1000, 1000, 1000});
  for (auto& run : before) test::add_findings(run, {});
  for (auto& run : after) test::add_findings(run, {});
  test::add_findings(after[0], {{"event-wait", 0.3}});
  CHECK(compare_runs(before, after).works[0].gained.empty());
  test::add_findings(after[1], {{"event-wait", 0.3}});
  CHECK(compare_runs(before, after).works[0].gained.size() == 1);
}

TEST_CASE("ranges are compared by name, and what one side lacks is said") {
  auto before = walls({1000});
  auto after = walls({1000});
  test::add_range(before[0], "a");
  test::add_range(before[0], "b");
  test::add_range(after[0], "b");
  test::add_range(after[0], "c");
  const Comparison comparison = compare_runs(before, after);
  REQUIRE(comparison.works.size() == 2);
  CHECK(comparison.works[1].name == "device 0, range 'b'");
  REQUIRE(comparison.notes.size() == 2);
  CHECK(comparison.notes[0] == Remark{RemarkKind::only_after, {"device 0, range 'c'"}});
  CHECK(comparison.notes[1] == Remark{RemarkKind::only_before, {"device 0, range 'a'"}});
}

TEST_CASE("what a file lacks is noted once, whatever its devices lack of it") {
  auto before = walls({1000});
  auto after = walls({1000});
  test::add_findings(before[0], {});
  test::add_findings(after[0], {});
  before[0].devices[0].scopes[0].causes->lacking = {"DEVICE", "CUDA_EVENT"};
  for (auto* run : {&before[0], &after[0]}) {
    run->devices.push_back(run->devices[0]);
    run->devices[1].id = 1;
  }
  before[0].devices[1].scopes[0].causes->lacking = {"CUDA_EVENT", "STREAM"};
  const Comparison comparison = compare_runs(before, after);
  REQUIRE(comparison.works.size() == 2);
  REQUIRE(comparison.notes.size() == 1);
  CHECK(comparison.notes[0] == Remark{RemarkKind::findings_not_compared,
                                      {"run.sqlite", "DEVICE", "CUDA_EVENT", "STREAM"}});
}

TEST_CASE("ranges that other threads count for are not compared") {
  RunSummary before = made_run({{&wall, 100}});
  RunSummary after = before;
  after.provenance->range_threads = RangeThreads::own;
  CHECK(compare_runs({&before, 1}, {&after, 1}).trouble.empty());
  test::add_range(before, "step");
  test::add_range(after, "step");
  CHECK(compare_runs({&before, 1}, {&after, 1}).trouble.kind == RemarkKind::ranges_made_otherwise);
}

TEST_CASE("default scopes that are not alike are not compared, and ranges are") {
  auto before = walls({1000});
  auto after = walls({500});
  CHECK(compare_runs(before, after).default_scopes == std::vector<std::string>{""});
  test::add_range(before[0], "step");
  test::add_range(after[0], "step");
  test::make_steady(after[0], {SteadyBy::iterations, 9, 0, 1, "step"}, "steps");
  const Comparison unlike = compare_runs(before, after);
  CHECK(unlike.trouble ==
        Remark{RemarkKind::unlike_scopes, {"run.sqlite", "", "run.sqlite", "steps"}});
  CHECK(unlike.default_scopes.empty());
  REQUIRE(unlike.works.size() == 1);
  CHECK(unlike.works[0].name == "device 0, range 'step'");
  Gate asked;
  asked.ranges = {"step"};
  CHECK(compare_runs(before, after, asked).trouble.empty());
  asked = {};
  asked.scope = GateScope::whole;
  CHECK(compare_runs(before, after, asked).works.at(0).name == "device 0");
  test::make_steady(before[0], {SteadyBy::iterations, 5, 1, 1, "step"}, "steps");
  const Comparison alike = compare_runs(before, after);
  CHECK(alike.trouble.empty());
  CHECK(alike.default_scopes == std::vector<std::string>{"steps"});
  CHECK(alike.works.at(0).name == "device 0, steady state");
  after[0].devices[0].sought_steady = false;
  CHECK(compare_runs(before, after).trouble.kind == RemarkKind::untold_scope);
}

TEST_CASE("different GPUs are said once for a pair of names, whatever is compared") {
  auto before = walls({1000});
  auto after = walls({1000});
  for (auto* run : {&before[0], &after[0]}) {
    test::add_range(*run, "load");
    test::add_range(*run, "step");
    run->devices.push_back(run->devices[0]);
    run->devices.push_back(run->devices[0]);
    run->devices[1].id = 1;
    run->devices[2].id = 2;
  }
  after[0].devices[0].name = "NVIDIA A100";
  after[0].devices[1].name = "NVIDIA H100";
  after[0].devices[2].name = "NVIDIA A100";
  Gate asked;
  asked.ranges = {"load", "step"};
  const Comparison comparison = compare_runs(before, after, asked);
  CHECK(comparison.works.size() == 6);
  REQUIRE(comparison.notes.size() == 2);
  CHECK(comparison.notes[0] == Remark{RemarkKind::gpus_differ, {"NVIDIA H200", "NVIDIA A100"}});
  CHECK(comparison.notes[1] == Remark{RemarkKind::gpus_differ, {"NVIDIA H200", "NVIDIA H100"}});
}

TEST_CASE("different GPUs are said, and runs that cannot be relied on are inconclusive") {
  auto before = walls({1000});
  auto after = walls({1000});
  after[0].devices[0].name = "NVIDIA A100";
  CHECK(compare_runs(before, after).notes.at(0).kind == RemarkKind::gpus_differ);
  after[0].trust = Trust::inconclusive;
  CHECK_FALSE(compare_runs(before, after).trouble.empty());
  auto empty = walls({1000});
  empty[0].devices.clear();
  CHECK(compare_runs(before, empty).trouble.kind == RemarkKind::no_common_work);
}

}  // namespace
}  // namespace lapscope::analyzer
