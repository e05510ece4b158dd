#include "analyzer/gate/judge_gate.h"
#include "analyzer/gate/parse_condition.h"
#include "tests/analyzer/gate/support/made_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

JudgedGate judged_gate(const RunSummary& run, std::string_view bound) {
  Gate gate;
  gate.bounds.push_back(parse_bound(Sense::at_most, std::string(bound)));
  const std::vector<RunSummary> runs = {run};
  return judge_gate(gate, runs, {}, Date{});
}

Judgement judged(const RunSummary& run, std::string_view bound = "bare_wall=8ms") {
  return judged_gate(run, bound).judgements.front();
}

TEST_CASE("bare walls can be judged") {
  CHECK(judged(test::made_run({{&bare_wall, 7.7e6}})).outcome == Outcome::passed);
  CHECK(judged(test::made_run({{&bare_wall, 8.1e6}})).outcome == Outcome::failed);
}

TEST_CASE("what was not run bare is not judged by its recorded wall") {
  const Judgement judgement = judged(test::made_run({{&wall, 1e6}}));
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason.kind == RemarkKind::no_bare_runs);
}

TEST_CASE("walls without the recorder's own time can be judged where it is known") {
  const auto run = test::made_run({{&wall, 9e6}, {&corrected_wall, 7.7e6}});
  CHECK(judged(run, "corrected_wall=8ms").outcome == Outcome::passed);
  CHECK(judged(run, "wall=8ms").outcome == Outcome::failed);
  const Judgement judgement = judged(test::made_run({{&wall, 1e6}}), "corrected_wall=8ms");
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason.kind == RemarkKind::not_calibrated);
}

TEST_CASE("a gate on the wall says which one, where there are two") {
  const auto run = test::made_run({{&wall, 9e6}, {&corrected_wall, 7.7e6}});
  const auto notes = judged_gate(run, "wall=8ms").notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] == Remark{RemarkKind::wall_as_recorded, {"device 0", 7.7}});
  CHECK(judged_gate(run, "corrected_wall=8ms").notes.empty());
  CHECK(judged_gate(test::made_run({{&wall, 9e6}}), "wall=8ms").notes.empty());
}

TEST_CASE("a cause that the recorder decides is not judged") {
  Gate gate;
  gate.bans.push_back(parse_ban("queue-alias"));
  RunSummary run = test::made_run({{&wall, 9e6}});
  run.devices.front().scopes.front().causes.emplace();
  const auto judge = [&] {
    const std::vector<RunSummary> runs = {run};
    return judge_gate(gate, runs, {}, Date{}).judgements.front();
  };
  const Judgement passed = judge();
  CHECK(passed.outcome == Outcome::passed);
  run.devices.front().scopes.front().causes->doubted = {"queue-alias"};
  CHECK(judge().outcome == Outcome::inconclusive);
  CHECK(judge().reason.kind == RemarkKind::recorder_decides);
  run.devices.front().scopes.front().causes->doubted = {"host-compute"};
  CHECK(judge().outcome == Outcome::passed);
  run.devices.front().scopes.front().causes->lacking = {"bare runs"};
  CHECK(judge().outcome == Outcome::inconclusive);
}

}  // namespace
}  // namespace lapscope::analyzer
