#include "analyzer/gate/judge_conditions.h"

#include <cmath>

#include "tests/analyzer/gate/support/judged.h"
#include "tests/analyzer/gate/support/made_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::add_findings;
using test::add_range;
using test::Containing;
using test::gate_with;
using test::judgements_of;
using test::made_run;
using test::only;
using test::today;

Gate forbidding(std::optional<double> allowed = {}) {
  Gate gate = gate_with({});
  gate.bans.push_back({Cause::event_wait, allowed, {}});
  return gate;
}

RunSummary found(std::initializer_list<std::pair<const char*, double>> findings,
                 double replay_error = 0.01) {
  RunSummary run = made_run({});
  add_findings(run, findings, replay_error);
  return run;
}

TEST_CASE("a forbidden cause fails when it is found, and is explained by the finding") {
  const Judgement judgement =
      only(judgements_of(forbidding(), {found({{"event-wait", 0.2}, {"host-sync", 0.4}})}));
  CHECK(judgement.outcome == Outcome::failed);
  CHECK(judgement.condition == "forbid event-wait");
  CHECK(judgement.value->median == 0.2);
  REQUIRE(judgement.because.size() == 1);
  CHECK(judgement.because[0].code == "event-wait");
  CHECK(judgement.because[0].fix == "Do not wait.");
  CHECK(only(judgements_of(forbidding(), {found({{"host-sync", 0.4}})})).outcome ==
        Outcome::passed);
  CHECK(only(judgements_of(forbidding(), {found({{"event-wait", 0.0}})})).outcome ==
        Outcome::failed);
}

TEST_CASE("without an analysis of causes, forbidding one is inconclusive and never passes") {
  const Judgement judgement = only(judgements_of(forbidding(), {made_run({})}));
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason.kind == RemarkKind::causes_unknown);
}

TEST_CASE("findings of a replay that is off are not relied on") {
  for (const double error : {0.11, -0.11, std::nan("")}) {
    CHECK(only(judgements_of(forbidding(), {found({}, error)})).outcome == Outcome::inconclusive);
    CHECK(only(judgements_of(forbidding(), {found({{"event-wait", 0.2}}, error)})).outcome ==
          Outcome::inconclusive);
  }
  Gate gate = forbidding();
  gate.most_replay_error = 0.2;
  CHECK(only(judgements_of(gate, {found({}, 0.11)})).outcome == Outcome::passed);
}

TEST_CASE("what costs no more than allowed is no failure") {
  CHECK(only(judgements_of(forbidding(0.25), {found({{"event-wait", 0.2}})})).outcome ==
        Outcome::passed);
  CHECK(only(judgements_of(forbidding(0.1), {found({{"event-wait", 0.2}})})).outcome ==
        Outcome::failed);
}

TEST_CASE("a ban without an allowance is of findings, with one of all that its fix would save") {
  // `analyze` does not report event-wait here: its saving of 1.9 % is too small.
  RunSummary run = found({{"host-sync", 0.4}});
  run.devices[0].scopes[0].causes->savings["event-wait"] = 0.019;
  const Judgement plain = only(judgements_of(forbidding(), {run}));
  CHECK(plain.outcome == Outcome::passed);
  CHECK(plain.value->median == 0.019);
  CHECK(plain.bound == 0.03);
  CHECK(plain.is_below);
  const Judgement strict = only(judgements_of(forbidding(0.01), {run}));
  CHECK(strict.outcome == Outcome::failed);
  CHECK_FALSE(strict.is_below);
  REQUIRE(strict.because.size() == 1);
  CHECK(strict.because[0].kind == Explanation::Kind::little);
  CHECK(only(judgements_of(forbidding(0), {run})).outcome == Outcome::failed);
  CHECK(only(judgements_of(forbidding(0), {found({})})).outcome == Outcome::passed);
}

TEST_CASE("a large share of so little time that it is no finding passes, and that is said") {
  RunSummary run = found({});
  run.devices[0].scopes[0].causes->savings["event-wait"] = 0.2;
  const Judgement judgement = only(judgements_of(forbidding(), {run}));
  CHECK(judgement.outcome == Outcome::passed);
  CHECK(judgement.reason == Remark{RemarkKind::too_little, {10.0}});
}

TEST_CASE("a cause that some repeats show is inconclusive") {
  const Judgement judgement =
      only(judgements_of(forbidding(), {found({{"event-wait", 0.2}}), found({}), found({})}));
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason == Remark{RemarkKind::found_in_some, {std::int64_t{1}, std::int64_t{3}}});
}

Gate against_baseline(std::vector<const Measure*> measures, Tolerance tolerance) {
  Gate gate = gate_with({});
  gate.baseline = Baseline{"base.json", std::move(measures), tolerance, {}};
  return gate;
}

TEST_CASE("a measure may be worse than the baseline by the larger of both tolerances") {
  const auto outcome = [](const Measure& measure, double then, double now, Tolerance tolerance) {
    return only(judgements_of(against_baseline({&measure}, tolerance),
                              {made_run({{&measure, now}})}, {made_run({{&measure, then}})}))
        .outcome;
  };
  CHECK(outcome(wall, 1000, 1050, {0.05, 0, 0}) == Outcome::passed);
  CHECK(outcome(wall, 1000, 1051, {0.05, 0, 0}) == Outcome::failed);
  CHECK(outcome(wall, 1000, 1100, {0.05, 0, 100}) == Outcome::passed);
  CHECK(outcome(wall, 1000, 500, {0, 0, 0}) == Outcome::passed);  // an improvement is no failure
  CHECK(outcome(overlap_ratio, 0.60, 0.58, {0.05, 0, 0}) == Outcome::passed);
  CHECK(outcome(overlap_ratio, 0.60, 0.56, {0.05, 0, 0}) == Outcome::failed);
  CHECK(outcome(overlap_ratio, 0.02, 0.00, {0.05, 0.02, 0}) == Outcome::passed);
  CHECK(outcome(overlap_ratio, 0.02, 0.00, {0.05, 0, 0}) == Outcome::failed);
  CHECK(outcome(overlap_ratio, -0.2, -0.3, {0.05, 0, 0}) == Outcome::failed);
  CHECK(outcome(idle_ratio, 0.5, 0.5, {0, 0, 0}) == Outcome::passed);
}

TEST_CASE("repeats of the baseline have a spread, too") {
  const auto judged_wall = [](std::vector<double> then, double now) {
    std::vector<RunSummary> baseline;
    for (const double value : then) baseline.push_back(made_run({{&wall, value}}));
    return only(judgements_of(against_baseline({&wall}, {0.1, 0, 0}), {made_run({{&wall, now}})},
                              baseline))
        .outcome;
  };
  // The three repeats of the baseline allow at most 990, 1100 and 1210 ns.
  CHECK(judged_wall({900, 1000, 1100}, 980) == Outcome::passed);
  CHECK(judged_wall({900, 1000, 1100}, 1100) == Outcome::inconclusive);
  CHECK(judged_wall({900, 1000, 1100}, 1211) == Outcome::failed);
}

TEST_CASE("a baseline of another GPU is inconclusive, unless it is allowed") {
  RunSummary then = made_run({{&wall, 1000}});
  then.devices[0].name = "NVIDIA A100";
  Gate gate = against_baseline({&wall}, {0.05, 0, 0});
  const Judgement judgement = only(judgements_of(gate, {made_run({{&wall, 1000}})}, {then}));
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason.kind == RemarkKind::baseline_other_gpu);
  CHECK(judgement.reason.details.front() == Detail{"NVIDIA A100"});
  gate.allow_other_gpu = true;
  CHECK(only(judgements_of(gate, {made_run({{&wall, 1000}})}, {then})).outcome == Outcome::passed);
}

TEST_CASE("a baseline of another command is compared, and that is said") {
  RunSummary then = made_run({{&wall, 1000}});
  then.trace.command = "./app --old";
  const std::vector<RunSummary> now = {made_run({{&wall, 1000}})};
  const std::vector<RunSummary> baseline = {then};
  const JudgedGate judged =
      judge_gate(against_baseline({&wall}, {0.05, 0, 0}), now, baseline, today);
  CHECK(judged.judgements[0].outcome == Outcome::passed);
  REQUIRE(judged.notes.size() == 1);
  CHECK(judged.notes[0].kind == RemarkKind::baseline_of_command);
  CHECK(judged.notes[0].details.front() == Detail{"./app --old"});
}

TEST_CASE("a baseline without the work, the measure or trust is inconclusive") {
  const RunSummary now = made_run({{&wall, 1000}});
  const Gate gate = against_baseline({&wall}, {0.05, 0, 0});
  RunSummary elsewhere = now;
  elsewhere.devices.clear();
  CHECK(only(judgements_of(gate, {now}, {elsewhere})).outcome == Outcome::inconclusive);
  CHECK(only(judgements_of(gate, {now}, {made_run({})})).outcome == Outcome::inconclusive);
  RunSummary lossy = now;
  lossy.trust = Trust::inconclusive;
  CHECK(only(judgements_of(gate, {now}, {lossy})).outcome == Outcome::inconclusive);
}

TEST_CASE("work that only the baseline has is inconclusive: a device, a range") {
  const RunSummary now = made_run({{&wall, 1000}});
  Gate gate = against_baseline({&wall}, {0.05, 0, 0});
  RunSummary then = now;
  then.devices.push_back(then.devices[0]);
  then.devices[1].id = 1;
  auto all = judgements_of(gate, {now}, {then});
  REQUIRE(all.size() == 2);
  CHECK(all[0].outcome == Outcome::passed);
  CHECK(all[1].outcome == Outcome::inconclusive);
  CHECK(all[1].subject == "device 1");
  CHECK(all[1].reason.kind == RemarkKind::lost_work);
  RunSummary one_range = now;
  add_range(one_range, "tile 1");
  RunSummary two_ranges = one_range;
  add_range(two_ranges, "tile 2");
  gate.ranges = {"tile *"};
  all = judgements_of(gate, {one_range}, {two_ranges});
  REQUIRE(all.size() == 2);
  CHECK(all[1].subject == "device 0, range 'tile 2'");
  CHECK(all[1].outcome == Outcome::inconclusive);
}

TEST_CASE("the only device is compared with the only device, whatever their numbers") {
  RunSummary then = made_run({{&wall, 1000}});
  then.devices[0].id = 4;
  CHECK(only(judgements_of(against_baseline({&wall}, {0.05, 0, 0}), {made_run({{&wall, 1000}})},
                           {then}))
            .outcome == Outcome::passed);
}

}  // namespace
}  // namespace lapscope::analyzer
