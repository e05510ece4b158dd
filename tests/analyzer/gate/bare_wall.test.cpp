#include "analyzer/gate/judge_gate.h"
#include "analyzer/gate/parse_condition.h"
#include "tests/analyzer/gate/support/made_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

Judgement judged(const RunSummary& run) {
  Gate gate;
  gate.bounds.push_back(parse_bound(Sense::at_most, "bare_wall=8ms"));
  const std::vector<RunSummary> runs = {run};
  return judge_gate(gate, runs, {}, Date{}).judgements.front();
}

TEST_CASE("bare walls can be judged") {
  CHECK(judged(test::made_run({{&bare_wall, 7.7e6}})).outcome == Outcome::passed);
  CHECK(judged(test::made_run({{&bare_wall, 8.1e6}})).outcome == Outcome::failed);
}

TEST_CASE("what was not run bare is not judged by its recorded wall") {
  const Judgement judgement = judged(test::made_run({{&wall, 1e6}}));
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason.find("--bare") != std::string::npos);
}

}  // namespace
}  // namespace lapscope::analyzer
