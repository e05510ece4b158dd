#include "analyzer/gate/judge_run.h"

#include "analyzer/gate/parse_condition.h"
#include "tests/analyzer/gate/support/judged.h"
#include "tests/analyzer/gate/support/made_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::gate_with;
using test::made_run;
using test::today;

Gate forbidding(RunCause cause, std::optional<double> allowed = {}) {
  Gate gate = gate_with({});
  gate.traces = {"run"};
  gate.run_bans.push_back({cause, allowed, {}});
  return gate;
}

// Returns a run of 1,000 ns with a straggler. Without the straggler, the run is 400 ns shorter, or
// only 300 ns if recording added 100 ns to the straggler's time.
RunResult held_up() {
  RunResult run;
  run.window = {0, 1'000};
  run.collectives = 5;
  run.ranks.resize(2);
  run.ranks[0].time.waiting = 400;
  run.findings = {{RunCause::straggler, 300, 400}, {RunCause::straggler, 100, 100}};
  run.questions = {{RunCause::small_collectives, 200, 200}};
  return run;
}

Judgement judged(const Gate& gate, const std::vector<RunSummary>& ranks = {made_run({})},
                 const RunResult& run = held_up()) {
  const auto words_of = [](const RunFinding& finding) {
    return Explanation{Explanation::Kind::finding, std::string(code_of(finding.cause)), 0, "Why."};
  };
  const JudgedGate all = judge_run(gate, run, ranks, words_of, today);
  REQUIRE(all.judgements.size() == 1);
  return all.judgements[0];
}

TEST_CASE("what holds up the ranks of a run can be forbidden") {
  const Judgement failed = judged(forbidding(RunCause::straggler));
  CHECK(failed.outcome == Outcome::failed);
  CHECK(failed.condition == "forbid straggler");
  CHECK(failed.subject == "all ranks");
  CHECK(failed.value->median == 0.3);
  REQUIRE(failed.because.size() == 1);
  CHECK(failed.because[0].code == "straggler");

  const Judgement absent = judged(forbidding(RunCause::pipeline_bubble));
  CHECK(absent.outcome == Outcome::passed);
  CHECK(absent.value->median == 0);
}

TEST_CASE("if the recorder's time decides, the judgement of ranks is inconclusive") {
  CHECK(judged(forbidding(RunCause::straggler, 0.25)).outcome == Outcome::failed);
  const Judgement open = judged(forbidding(RunCause::straggler, 0.35));
  CHECK(open.outcome == Outcome::inconclusive);
  CHECK(open.reason.kind == RemarkKind::range_decides);
  CHECK(judged(forbidding(RunCause::straggler, 0.4)).outcome == Outcome::passed);
}

TEST_CASE("a gate between ranks passes only if the ranks show what they wait for") {
  const Gate gate = forbidding(RunCause::straggler, 0.15);
  RunResult run = held_up();
  run.findings.clear();
  const Judgement unexplained =
      judged(gate, {made_run({})}, run);  // ranks wait for 20 % on average
  CHECK(unexplained.outcome == Outcome::inconclusive);
  CHECK(unexplained.reason == Remark{RemarkKind::waits_unexplained, {"run", 20.0}});
  run.findings = {{RunCause::pipeline_bubble, 200, 200}};
  CHECK(judged(gate, {made_run({})}, run).outcome == Outcome::passed);

  run.ranks[1].time.other_communication = 800;  // communication with unknown ranks
  CHECK(judged(gate, {made_run({})}, run).reason ==
        Remark{RemarkKind::ranks_not_known, {"run", 40.0}});

  run = held_up();
  run.findings.clear();
  run.collectives = 0;
  CHECK(judged(gate, {made_run({})}, run).reason.kind == RemarkKind::ranks_not_joined);
  run.collectives = 5;
  run.ranks.resize(1);
  CHECK(judged(gate, {made_run({})}, run).reason.kind == RemarkKind::ranks_not_joined);
}

TEST_CASE("questions about ranks are forbidden only with those that are possible") {
  Gate gate = forbidding(RunCause::small_collectives);
  CHECK(check_gate(gate)->sentence.find("only ever a possible finding") != std::string::npos);
  gate.forbids_possible = true;
  CHECK_FALSE(check_gate(gate));
  CHECK(judged(gate).outcome == Outcome::failed);
}

TEST_CASE("of a rank that cannot be relied on no run is judged") {
  RunSummary damaged = made_run({});
  damaged.trust = Trust::inconclusive;
  const Judgement judgement =
      judged(forbidding(RunCause::pipeline_bubble), {made_run({}), damaged});
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason.kind == RemarkKind::unsound);
}

TEST_CASE("nothing is concluded of ranks if no rank has the range") {
  RunSummary with_range = made_run({});
  test::add_range(with_range, "step_1");
  Gate gate = forbidding(RunCause::pipeline_bubble);
  gate.ranges = {"step_*"};
  CHECK(judged(gate, {made_run({}), with_range}).outcome == Outcome::passed);
  gate.ranges = {"stop_*"};
  const Judgement missing = judged(gate, {made_run({}), with_range});
  CHECK(missing.outcome == Outcome::inconclusive);
  CHECK(missing.reason == Remark{RemarkKind::missing_range, {"run", "range 'stop_*'"}});
}

TEST_CASE("a straggler can be waived") {
  Gate gate = forbidding(RunCause::straggler);
  gate.waivers.push_back({"forbid straggler", "known", today, {}});
  CHECK_FALSE(check_gate(gate));
  CHECK(judged(gate).outcome == Outcome::waived);
}

TEST_CASE("conditions on ranks are written as those on traces are") {
  Gate gate;
  add_ban(gate, "straggler=5%", {});
  add_ban(gate, "event-wait", {});
  REQUIRE(gate.run_bans.size() == 1);
  CHECK(gate.run_bans[0].allowed == 0.05);
  CHECK(gate.bans.size() == 1);
  CHECK_THROWS_AS(add_ban(gate, "stragler", {}), ConditionError);
}

// Makes a rank with one condition.
JudgedGate rank(const std::string& name, Outcome outcome, double margin) {
  Judgement judgement;
  judgement.subject = "device 0";
  judgement.condition = "min overlap_ratio";
  judgement.outcome = outcome;
  judgement.margin = margin;
  JudgedGate gate;
  gate.name = name;
  gate.files = {name + ".sqlite"};
  gate.judgements = {judgement};
  return gate;
}

// The second rank has two devices.
TEST_CASE("no judgement of any rank is left out") {
  JudgedGate two = rank("b", Outcome::passed, 1);
  two.judgements.push_back(rank("b", Outcome::failed, -1).judgements[0]);
  const std::vector<JudgedGate> ranks = {rank("a", Outcome::passed, 1), two};
  for (const OverRanks over : {OverRanks::worst, OverRanks::median}) {
    const JudgedGate gate = judge_over_ranks(ranks, over, "all");
    REQUIRE(gate.judgements.size() == 1);
    CHECK(gate.judgements[0].outcome == Outcome::failed);
  }
}

// Makes the gate of a rank with the range 'step b', and with 'step a' if `has_a`.
JudgedGate rank_of_ranges(const std::string& name, bool has_a, Outcome of_b) {
  JudgedGate gate = rank(name, of_b, 0);
  gate.judgements[0].scope = "range 'step b'";
  gate.judgements[0].subject = "device 0, range 'step b'";
  if (has_a) {
    gate.judgements.insert(gate.judgements.begin(), rank(name, Outcome::passed, 1).judgements[0]);
    gate.judgements[0].scope = "range 'step a'";
    gate.scopes.push_back({0, ScopeKind::nvtx, "step a"});
  }
  gate.scopes.push_back({0, ScopeKind::nvtx, "step b"});
  gate.notes = {{RemarkKind::defect, {name, "Something is missing."}}};
  return gate;
}

TEST_CASE("a range of a rank is held against the same range of other ranks only") {
  using enum Outcome;
  const std::vector<JudgedGate> ranks = {rank_of_ranges("a", true, failed),
                                         rank_of_ranges("b", true, failed),
                                         rank_of_ranges("c", false, failed)};
  for (const OverRanks over : {OverRanks::worst, OverRanks::median}) {
    const JudgedGate gate = judge_over_ranks(ranks, over, "all");
    REQUIRE(gate.judgements.size() == 2);
    CHECK(gate.judgements[0].outcome == inconclusive);
    CHECK(gate.judgements[0].reason == Remark{RemarkKind::not_in_this_run, {"c.sqlite"}});
    CHECK(gate.judgements[1].outcome == failed);
    CHECK(gate.judgements[1].subject.ends_with(", device 0, range 'step b'"));
    CHECK(gate.scopes.size() == 2);
    CHECK(gate.notes.size() == 3);
  }
}

TEST_CASE("a rank without the named range leaves open what most ranks give, in one row") {
  JudgedGate lacking = rank_of_ranges("c", false, Outcome::inconclusive);
  lacking.judgements[0].lacks_scope = true;
  lacking.judgements[0].scope = "range 'step'";  // as the gate names it
  const JudgedGate a = rank_of_ranges("a", false, Outcome::passed);
  const JudgedGate b = rank_of_ranges("b", false, Outcome::passed);
  for (const OverRanks over : {OverRanks::worst, OverRanks::median}) {
    for (const auto& ranks : {std::vector{a, b, lacking}, std::vector{lacking, a, b},
                              std::vector{lacking, lacking, lacking}}) {
      const JudgedGate gate = judge_over_ranks(ranks, over, "all");
      REQUIRE(gate.judgements.size() == 1);
      CHECK(gate.judgements[0].outcome == Outcome::inconclusive);
    }
  }
}

TEST_CASE("the worst rank fails also where another rank lacks the scope") {
  JudgedGate failing = rank_of_ranges("a", true, Outcome::passed);
  failing.judgements[0].outcome = Outcome::failed;
  const std::vector<JudgedGate> ranks = {failing, rank_of_ranges("b", false, Outcome::passed)};
  CHECK(judge_over_ranks(ranks, OverRanks::worst, "all").judgements[0].outcome == Outcome::failed);
  CHECK(judge_over_ranks(ranks, OverRanks::median, "all").judgements[0].outcome ==
        Outcome::inconclusive);
}

TEST_CASE("of ranks the worst or the one in the middle decides") {
  using enum Outcome;
  struct Row {
    std::vector<JudgedGate> ranks;
    OverRanks over;
    Outcome outcome;
    std::string who;
  };
  const std::vector<Row> rows = {
      {{rank("a", passed, 3), rank("b", passed, 1), rank("c", passed, 2)},
       OverRanks::worst,
       passed,
       "b"},
      {{rank("a", passed, 3), rank("b", passed, 1), rank("c", passed, 2)},
       OverRanks::median,
       passed,
       "c"},
      {{rank("a", passed, 3), rank("b", failed, -1), rank("c", inconclusive, 0)},
       OverRanks::worst,
       failed,
       "b"},
      // The outcome of c decides whether two of the three ranks pass.
      {{rank("a", passed, 3), rank("b", failed, -1), rank("c", inconclusive, 0)},
       OverRanks::median,
       inconclusive,
       "c"},
      {{rank("a", passed, 3), rank("b", passed, 1), rank("c", inconclusive, 0)},
       OverRanks::median,
       passed,
       "b"},
      // Of two ranks, the median is the worse one.
      {{rank("a", passed, 3), rank("b", failed, -1)}, OverRanks::median, failed, "b"}};
  for (const Row& row : rows) {
    const JudgedGate gate = judge_over_ranks(row.ranks, row.over, "all");
    CHECK(gate.name == "all");
    CHECK(gate.files.size() == row.ranks.size());
    REQUIRE(gate.judgements.size() == 1);
    CHECK(gate.judgements[0].outcome == row.outcome);
    CHECK(gate.judgements[0].subject == row.who + ", device 0");
  }
}

}  // namespace
}  // namespace lapscope::analyzer
