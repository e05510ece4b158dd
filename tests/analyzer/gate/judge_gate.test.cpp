#include "analyzer/gate/judge_gate.h"

#include <cmath>
#include <random>

#include "analyzer/gate/compare.h"
#include "tests/analyzer/gate/support/judged.h"
#include "tests/analyzer/gate/support/made_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::add_findings;
using test::add_range;
using test::Containing;
using test::gate_with;
using test::half_overlap;
using test::judgements_of;
using test::little_idle;
using test::made_run;
using test::only;
using test::today;
using namespace std::chrono_literals;

// Returns the judgement of "min overlap_ratio 0.5" for repeats with these ratios.
Judgement judged(const std::vector<double>& ratios) {
  std::vector<RunSummary> runs;
  for (const double ratio : ratios) runs.push_back(made_run({{&overlap_ratio, ratio}}));
  return only(judgements_of(gate_with({half_overlap}), runs));
}

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

TEST_CASE("every condition is judged, with value, bound and margin") {
  const auto all = judgements_of(gate_with({half_overlap, little_idle}),
                                 {made_run({{&overlap_ratio, 0.4}, {&idle_ratio, 0.03}})});
  REQUIRE(all.size() == 2);
  CHECK(all[0].outcome == Outcome::failed);
  CHECK(all[0].condition == "min overlap_ratio");
  CHECK(all[0].subject == "device 0");
  CHECK(all[0].value->median == 0.4);
  CHECK(*all[0].bound == 0.5);
  CHECK(near(*all[0].margin, -0.1));
  CHECK(all[1].outcome == Outcome::passed);
  CHECK(near(*all[1].margin, 0.07));
}

TEST_CASE("a value at its bound passes") { CHECK(judged({0.5}).outcome == Outcome::passed); }

TEST_CASE("repeats pass or fail as a whole, and are inconclusive when the bound is inside") {
  CHECK(judged({0.6, 0.7, 0.8}).outcome == Outcome::passed);
  CHECK(judged({0.5, 0.6, 0.7}).outcome == Outcome::passed);
  const Judgement straddles = judged({0.45, 0.6, 0.7});
  CHECK(straddles.outcome == Outcome::inconclusive);
  CHECK(straddles.value->median == 0.6);
  CHECK(straddles.reason == Remark{RemarkKind::bound_in_spread, {std::int64_t{3}}});
  CHECK(judged({0.2, 0.3, 0.49}).outcome == Outcome::failed);
}

TEST_CASE("of five repeats a single odd one does not matter") {
  CHECK(judged({0.1, 0.6, 0.6, 0.7, 0.7}).outcome == Outcome::passed);
  CHECK(judged({0.1, 0.1, 0.6, 0.7, 0.7}).outcome == Outcome::inconclusive);
}

TEST_CASE("outcomes mirror, and a looser bound is never worse") {
  std::mt19937 random(3);
  const auto some = [&random] { return static_cast<double>(random() % 9); };
  const auto rank = [](Outcome outcome) {
    return outcome == Outcome::passed ? 2 : outcome == Outcome::inconclusive ? 1 : 0;
  };
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> values(1 + random() % 6);
    for (double& value : values) value = some();
    const double bound = some();
    const Limit limit = {bound, bound, bound + some() / 4};
    const Repeats value = repeats_of(values);
    const Outcome outcome = outcome_of(value, limit, Sense::at_least);
    for (double& each : values) each = -each;
    const Limit mirrored = {-limit.high, -limit.middle, -limit.low};
    REQUIRE(outcome == outcome_of(repeats_of(values), mirrored, Sense::at_most));
    const Limit looser = {limit.low - 1, limit.middle - 1, limit.high - 1};
    REQUIRE(rank(outcome_of(value, looser, Sense::at_least)) >= rank(outcome));
  }
}

TEST_CASE("a measure that is not defined is inconclusive, with the reason") {
  const Judgement judgement = only(judgements_of(
      gate_with({half_overlap}), {test::made_run_without(overlap_ratio, "the ops take 0 ns")}));
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK_FALSE(judgement.value);
  CHECK(judgement.reason ==
        Remark{RemarkKind::undefined, {"overlap_ratio", "run.sqlite", "the ops take 0 ns"}});
  CHECK(only(judgements_of(gate_with({half_overlap}), {made_run({})})).outcome ==
        Outcome::inconclusive);
}

TEST_CASE("ranges are judged instead of the whole, each by its name") {
  RunSummary run = made_run({{&overlap_ratio, 0.9}});
  add_range(run, "step 1");
  add_range(run, "step 2");
  run.devices[0].scopes[2].measures[0].value = 0.1;
  Gate gate = gate_with({half_overlap});
  gate.ranges = {"step *"};
  const auto all = judgements_of(gate, {run});
  REQUIRE(all.size() == 2);
  CHECK(all[0].subject == "device 0, range 'step 1'");
  CHECK(all[0].outcome == Outcome::passed);
  CHECK(all[1].outcome == Outcome::failed);
}

TEST_CASE("what is not there is inconclusive: a range, a device, any work at all") {
  const RunSummary run = made_run({{&overlap_ratio, 0.9}});
  Gate gate = gate_with({half_overlap});
  gate.ranges = {"step"};
  CHECK(only(judgements_of(gate, {run})).reason ==
        Remark{RemarkKind::missing_range, {"run.sqlite", "range 'step'"}});
  gate.ranges.clear();
  gate.device = 3;
  CHECK(only(judgements_of(gate, {run})).reason ==
        Remark{RemarkKind::missing_work, {"run.sqlite", "device 3"}});
  gate.device.reset();
  RunSummary empty = run;
  empty.devices.clear();
  CHECK(only(judgements_of(gate, {empty})).outcome == Outcome::inconclusive);
}

TEST_CASE("a range that one of the repeats lacks is inconclusive") {
  RunSummary with = made_run({{&overlap_ratio, 0.9}});
  add_range(with, "step");
  Gate gate = gate_with({half_overlap});
  gate.ranges = {"step"};
  const Judgement judgement = only(judgements_of(gate, {with, made_run({{&overlap_ratio, 0.9}})}));
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason.kind == RemarkKind::not_in_this_run);
}

TEST_CASE("only the device that is asked for is judged") {
  RunSummary run = made_run({{&overlap_ratio, 0.9}});
  DeviceSummary second = run.devices[0];
  second.id = 1;
  second.scopes[0].measures[0].value = 0.1;
  run.devices.push_back(second);
  Gate gate = gate_with({half_overlap});
  CHECK(judgements_of(gate, {run}).size() == 2);
  gate.device = 0;
  CHECK(only(judgements_of(gate, {run})).outcome == Outcome::passed);
  gate.device = 1;
  CHECK(only(judgements_of(gate, {run})).outcome == Outcome::failed);
}

TEST_CASE("a failure is explained by findings, and without them by what kept the device idle") {
  RunSummary run = made_run({{&overlap_ratio, 0.1}, {&wall, 1000}});
  run.devices[0].scopes[0].gaps.by_cause = {
      {"host-sync", 300}, {"host-call", 100}, {"launch-latency", 5}};
  Judgement judgement = only(judgements_of(gate_with({half_overlap}), {run}));
  REQUIRE(judgement.because.size() == 2);  // 5 of 1000 ns do not explain anything
  CHECK(judgement.because[0].kind == Explanation::Kind::idle);
  CHECK(judgement.because[0].code == "host-sync");
  CHECK(near(judgement.because[0].share, 0.3));
  add_findings(run, {{"stream-order", 0.5}});
  judgement = only(judgements_of(gate_with({half_overlap}), {run}));
  REQUIRE(judgement.because.size() == 1);
  CHECK(judgement.because[0].code == "stream-order");
}

Gate waiving(const std::string& condition, Date until) {
  Gate gate = gate_with({half_overlap, little_idle});
  gate.waivers.push_back({condition, "see issue 12", until, {}});
  return gate;
}

TEST_CASE("a waived failure passes until the last day, and says why") {
  const std::vector<RunSummary> runs = {made_run({{&overlap_ratio, 0.1}, {&idle_ratio, 0.05}})};
  const JudgedGate judged = judge_gate(waiving("min overlap_ratio", today), runs, {}, today);
  CHECK(judged.judgements[0].outcome == Outcome::waived);
  CHECK(judged.judgements[0].reason == Remark{RemarkKind::waived, {"2026-11-21", "see issue 12"}});
  CHECK(verdict_of({"", {judged}}) == Outcome::passed);
}

TEST_CASE("an expired waiver covers nothing, and that is said") {
  const auto all = judgements_of(waiving("min overlap_ratio", 2026y / 11 / 20),
                                 {made_run({{&overlap_ratio, 0.1}, {&idle_ratio, 0.05}})});
  CHECK(all[0].outcome == Outcome::failed);
  CHECK(all[0].reason == Remark{RemarkKind::waiver_expired, {"2026-11-20", "see issue 12"}});
}

TEST_CASE("of several waivers of a condition the one that lasts longest counts") {
  for (const bool renewed_first : {false, true}) {
    const Date yesterday = 2026y / 11 / 20;
    Gate gate = waiving("min overlap_ratio", renewed_first ? today : yesterday);
    gate.waivers.push_back(gate.waivers.front());
    gate.waivers.back().until = renewed_first ? yesterday : today;
    const auto all = judgements_of(gate, {made_run({{&overlap_ratio, 0.1}, {&idle_ratio, 0.05}})});
    CHECK(all[0].outcome == Outcome::waived);
    CHECK(all[0].reason.details.front() == Detail{"2026-11-21"});
  }
}

TEST_CASE("a waiver that is not needed says so, and one of what is inconclusive changes nothing") {
  const auto all = judgements_of(waiving("max idle_ratio", today),
                                 {made_run({{&overlap_ratio, 0.9}, {&idle_ratio, 0.05}})});
  CHECK(all[1].outcome == Outcome::passed);
  CHECK(all[1].reason.kind == RemarkKind::waiver_unneeded);
  const auto unknown =
      judgements_of(waiving("max idle_ratio", today), {made_run({{&overlap_ratio, 0.9}})});
  CHECK(unknown[1].outcome == Outcome::inconclusive);
}

TEST_CASE("a failure outweighs what is inconclusive, and nothing judged is no pass") {
  const auto report = [](std::vector<Outcome> outcomes) {
    JudgedGate gate;
    for (const Outcome outcome : outcomes) gate.judgements.emplace_back().outcome = outcome;
    return GateReport{"", {gate}};
  };
  using enum Outcome;
  CHECK(verdict_of(report({passed, passed})) == passed);
  CHECK(verdict_of(report({passed, waived})) == passed);
  CHECK(verdict_of(report({passed, inconclusive})) == inconclusive);
  CHECK(verdict_of(report({inconclusive, failed})) == failed);
  CHECK(verdict_of(report({})) == inconclusive);
  CHECK(verdict_of(GateReport{}) == inconclusive);
  GateReport one_idle = report({passed});
  one_idle.gates.emplace_back();
  CHECK(verdict_of(one_idle) == inconclusive);
}

}  // namespace
}  // namespace lapscope::analyzer
