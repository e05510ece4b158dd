#include "analyzer/gate/troubles.h"

#include <algorithm>

#include "analyzer/model/evidence.h"
#include "tests/analyzer/gate/support/judged.h"
#include "tests/analyzer/gate/support/made_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::add_findings;
using test::add_range;
using test::gate_with;
using test::half_overlap;
using test::judgements_of;
using test::made_run;
using test::make_steady;
using test::only;
using test::today;

TEST_CASE("a run that cannot be relied on neither passes nor fails") {
  for (const double ratio : {0.1, 0.9}) {
    RunSummary run = made_run({{&overlap_ratio, ratio}});
    run.trust = Trust::inconclusive;
    run.health.push_back({"dropped-records", Severity::error, 5, {"5 records were lost.", ""}});
    const Judgement judgement = only(judgements_of(gate_with({half_overlap}), {run}));
    CHECK(judgement.outcome == Outcome::inconclusive);
    CHECK(judgement.reason ==
          Remark{RemarkKind::unsound_for, {"run.sqlite", "5 records were lost."}});
    CHECK(judgement.value->median == ratio);
  }
}

TEST_CASE("runs of different commands are no repeats, unless it is allowed") {
  RunSummary other = made_run({{&overlap_ratio, 0.9}});
  other.trace.command = "./other";
  Gate gate = gate_with({half_overlap});
  const std::vector<RunSummary> runs = {made_run({{&overlap_ratio, 0.9}}), other};
  CHECK(only(judgements_of(gate, runs)).reason.kind == RemarkKind::other_commands);
  gate.allow_other_command = true;
  CHECK(only(judgements_of(gate, runs)).outcome == Outcome::passed);
}

TEST_CASE("repeats on different GPUs are inconclusive, unless it is allowed") {
  RunSummary other = made_run({{&overlap_ratio, 0.9}});
  other.devices[0].name = "NVIDIA A100";
  Gate gate = gate_with({half_overlap});
  const std::vector<RunSummary> runs = {made_run({{&overlap_ratio, 0.9}}), other};
  CHECK(only(judgements_of(gate, runs)).reason.kind == RemarkKind::other_gpus);
  gate.allow_other_gpu = true;
  CHECK(only(judgements_of(gate, runs)).outcome == Outcome::passed);
}

TEST_CASE("too few ops are inconclusive") {
  RunSummary run = made_run({{&overlap_ratio, 0.9}});
  run.devices[0].scopes[0].ops = 1;
  Gate gate = gate_with({half_overlap});
  CHECK(only(judgements_of(gate, {run})).reason ==
        Remark{RemarkKind::few_ops, {"run.sqlite", std::int64_t{1}, std::int64_t{2}}});
  gate.least_ops = 1;
  CHECK(only(judgements_of(gate, {run})).outcome == Outcome::passed);
}

RunSummary warned(const std::string& code) {
  RunSummary run = made_run({{&overlap_ratio, 0.9}, {&wall, 1000}});
  run.health.push_back({code, Severity::warning, 1, {"Something of it is missing.", ""}});
  return run;
}

TEST_CASE("a run that is not all there is inconclusive, unless that is allowed") {
  for (const char* code : {"cut-off", "still-running", "yielded"}) {
    INFO(code);
    Gate gate = gate_with({half_overlap});
    const Judgement judgement = only(judgements_of(gate, {warned(code)}));
    CHECK(judgement.outcome == Outcome::inconclusive);
    CHECK(judgement.reason ==
          Remark{RemarkKind::incomplete, {"run.sqlite", "Something of it is missing.", code}});
    gate.allowed = {code == std::string("yielded") ? "cut-off" : "yielded"};
    CHECK(only(judgements_of(gate, {warned(code)})).outcome == Outcome::inconclusive);
    gate.allowed = {code};
    CHECK(only(judgements_of(gate, {warned(code)})).outcome == Outcome::passed);
  }
}

TEST_CASE("other defects of a recording are noted, and so are those of a baseline") {
  const std::vector<RunSummary> runs = {warned("unfinished-ops"), warned("unfinished-ops")};
  Gate gate = gate_with({half_overlap});
  const JudgedGate judged = judge_gate(gate, runs, {}, today);
  CHECK(only(judged.judgements).outcome == Outcome::passed);
  CHECK(judged.notes ==
        std::vector{Remark{RemarkKind::defect, {"run.sqlite", "Something of it is missing."}}});
  const std::vector<RunSummary> sound = {made_run({{&overlap_ratio, 0.9}})};
  CHECK(judge_gate(gate, sound, runs, today).notes == judged.notes);
  std::vector<RunSummary> remarked = {warned("captured-part")};
  remarked[0].health[0].severity = Severity::info;
  CHECK(judge_gate(gate, remarked, {}, today).notes.empty());
}

TEST_CASE("a summary that does not say how it was made is judged by nothing") {
  RunSummary run = warned("unfinished-ops");
  run.provenance.reset();
  add_findings(run, {});
  Gate gate = gate_with({half_overlap});
  gate.bans.push_back({Cause::event_wait, {}, {}});
  for (const Judgement& judgement : judgements_of(gate, {run})) {
    CHECK(judgement.outcome == Outcome::inconclusive);
    CHECK(judgement.reason.kind == RemarkKind::made_otherwise);
  }
}

RunSummary identified(const std::string& identity, const std::string& file) {
  RunSummary run = made_run({{&overlap_ratio, 0.9}, {&wall, 1000}});
  run.provenance->identity = identity;
  run.trace.file = file;
  return run;
}

TEST_CASE("a run is no repeat of itself, whatever its files are called") {
  const auto judged = [](const char* a, const char* b) {
    return only(judgements_of(gate_with({half_overlap}),
                              {identified(a, "a.sqlite"), identified(b, "b.json")}));
  };
  CHECK(judged("host/1/noon", "host/2/noon").outcome == Outcome::passed);
  CHECK(judged("", "").outcome == Outcome::passed);  // the identities are not known
  const Judgement judgement = judged("host/1/noon", "host/1/noon");
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason == Remark{RemarkKind::same_run, {"a.sqlite", "b.json"}});
}

TEST_CASE("a run is itself by either part of its identity, where the other is lost") {
  const auto same = [](const char* a, const char* b, const char* command = "./app") {
    RunSummary other = identified(b, "b.json");
    RunSummary one = identified(a, "a.sqlite");
    one.trace.command = "./app";
    other.trace.command = command;
    return are_same_run(one, other);
  };
  CHECK(same("s/h/1/noon, session start 5", "s/h/1/noon, session start 5"));
  CHECK(same("s/h/1/noon", "s/h/1/noon, session start 5"));  // the second is older
  CHECK(same("h/1/noon, session start 5", "s/h/1/noon, session start 5", "./other"));
  CHECK(same("session start 5", "s/h/1/noon, session start 5"));
  CHECK_FALSE(same("s/h/1/noon", "s/h/1/noon, session start 5", "./other"));
  CHECK_FALSE(same("s/h/1/noon, session start 5", "s/h/2/noon, session start 6"));
  CHECK_FALSE(same("session start 5", "session start 55"));
  CHECK_FALSE(same("session start 5", "s/h/1/noon"));
}

TEST_CASE("a baseline that is the run itself is inconclusive, unless that is allowed") {
  Gate gate = gate_with({});
  gate.baseline.emplace().measures = {&wall};
  const auto judged = [&gate](const char* then) {
    return only(
        judgements_of(gate, {identified("noon", "a.sqlite")}, {identified(then, "b.json")}));
  };
  CHECK(judged("morning").outcome == Outcome::passed);
  CHECK(judged("noon").outcome == Outcome::inconclusive);
  CHECK(judged("noon").reason.kind == RemarkKind::baseline_is_run);
  gate.allowed = {"same-run"};
  CHECK(judged("noon").outcome == Outcome::passed);
}

RunSummary of_rank(const std::string& number, double wall_ns) {
  RunSummary run = made_run({{&overlap_ratio, 0.9}, {&wall, wall_ns}});
  run.trace.rank = number;
  return run;
}

TEST_CASE("ranks of a run are no repeats") {
  const auto judged = [](const char* a, const char* b) {
    return only(judgements_of(gate_with({half_overlap}), {of_rank(a, 1), of_rank(b, 1)}));
  };
  CHECK(judged("0", "0").outcome == Outcome::passed);
  CHECK(judged("", "1").outcome == Outcome::passed);
  CHECK(judged("0", "1").outcome == Outcome::inconclusive);
  CHECK(judged("0", "1").reason ==
        Remark{RemarkKind::other_ranks, {"run.sqlite", "0", "run.sqlite", "1"}});
}

TEST_CASE("a rank is compared with the same rank of a baseline only") {
  Gate gate = gate_with({});
  gate.baseline.emplace().measures = {&wall};
  gate.baseline->file = "before";
  const std::vector<RunSummary> before = {of_rank("0", 5000), of_rank("1", 1000)};
  CHECK(only(judgements_of(gate, {of_rank("1", 2000)}, before)).outcome == Outcome::failed);
  CHECK(only(judgements_of(gate, {of_rank("0", 2000)}, before)).outcome == Outcome::passed);
  const Judgement lacking = only(judgements_of(gate, {of_rank("2", 2000)}, before));
  CHECK(lacking.outcome == Outcome::inconclusive);
  CHECK(lacking.reason == Remark{RemarkKind::baseline_lacks_rank, {"before", "2"}});
  const Judgement unranked = only(judgements_of(gate, {of_rank("", 2000)}, before));
  CHECK(unranked.reason.is_of_baseline);
  CHECK(unranked.reason.kind == RemarkKind::other_ranks);
}

TEST_CASE("repeats in a baseline are held to the same as those that are judged") {
  Gate gate = gate_with({});
  gate.baseline.emplace().measures = {&wall};
  const Judgement judgement =
      only(judgements_of(gate, {identified("noon", "a.sqlite")}, {warned("cut-off")}));
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason.is_of_baseline);
  CHECK(judgement.reason.kind == RemarkKind::incomplete);
}

TEST_CASE("what communicates must be the same for the gate and for a summary") {
  RunSummary run = made_run({{&comm_hidden, 0.9}, {&overlap_ratio, 0.9}});
  Gate gate = gate_with({{&comm_hidden, Sense::at_least, 0.5, {}}, half_overlap});
  CHECK(judgements_of(gate, {run})[0].outcome == Outcome::passed);
  gate.communication = {"my_reduce*"};
  CHECK(judgements_of(gate, {run})[0].reason.kind == RemarkKind::other_communication);
  CHECK(judgements_of(gate, {run})[1].outcome == Outcome::passed);
  run.provenance->communication = {"my_reduce*"};
  CHECK(judgements_of(gate, {run})[0].outcome == Outcome::passed);
}

TEST_CASE("whose ops are a range's must be the same for the gate, for runs and for a baseline") {
  RunSummary run = made_run({{&overlap_ratio, 0.9}, {&wall, 1000}});
  add_range(run, "step");
  RunSummary old = run;
  old.provenance->range_threads = RangeThreads::own;
  Gate gate = gate_with({half_overlap});
  CHECK(only(judgements_of(gate, {old})).outcome == Outcome::passed);  // has the whole
  gate.ranges = {"step"};
  CHECK(only(judgements_of(gate, {run})).outcome == Outcome::passed);
  CHECK(only(judgements_of(gate, {old})).outcome == Outcome::inconclusive);
  CHECK(only(judgements_of(gate, {old})).reason ==
        Remark{RemarkKind::other_threads, {"run.sqlite", "own"}});
  gate.range_threads = RangeThreads::own;
  CHECK(only(judgements_of(gate, {old})).outcome == Outcome::passed);

  Gate compared = gate_with({});
  compared.ranges = {"step"};
  compared.baseline.emplace().measures = {&wall};
  CHECK(only(judgements_of(compared, {run}, {run})).outcome == Outcome::passed);
  CHECK(only(judgements_of(compared, {run}, {old})).reason ==
        Remark{RemarkKind::other_threads, {"run.sqlite", "own"}, true});
}

RunSummary steady_run(SteadyBy by, const std::string& range, std::int64_t instances = 10) {
  RunSummary run = made_run({{&overlap_ratio, 0.9}, {&wall, 1000}});
  make_steady(run, {by, instances, 0, 0.9, range});
  return run;
}

TEST_CASE("default scopes are compared only where they are of one kind and one range") {
  const RunSummary whole = made_run({{&overlap_ratio, 0.9}, {&wall, 1000}});
  const RunSummary brackets = steady_run(SteadyBy::profiler, "");
  const RunSummary loop = steady_run(SteadyBy::iterations, "step *");
  const RunSummary frames = steady_run(SteadyBy::iterations, "frame *");
  const RunSummary five_times = steady_run(SteadyBy::iterations, "", 5);
  const RunSummary six_times = steady_run(SteadyBy::iterations, "", 6);
  const RunSummary once = steady_run(SteadyBy::range, "step *", 1);
  const RunSummary often = steady_run(SteadyBy::range, "step *", 30);
  const RunSummary other = steady_run(SteadyBy::range, "main");
  Gate with_baseline = gate_with({});
  with_baseline.baseline.emplace().measures = {&wall};
  const auto outcomes = [&](const RunSummary& a, const RunSummary& b) {
    const Judgement compared = only(judgements_of(with_baseline, {a}, {b}));
    const Judgement repeated = only(judgements_of(gate_with({half_overlap}), {a, b}));
    CHECK(compared.outcome == repeated.outcome);
    if (compared.outcome == Outcome::inconclusive) {
      CHECK(compared.reason.kind == RemarkKind::unlike_scopes);
      CHECK(compared.reason == repeated.reason);
    }
    return compared.outcome;
  };
  const std::vector<const RunSummary*> kinds = {&whole,      &brackets, &loop, &frames,
                                                &five_times, &once,     &other};
  for (const RunSummary* a : kinds) {
    for (const RunSummary* b : kinds) {
      CHECK(outcomes(*a, *b) == (a == b ? Outcome::passed : Outcome::inconclusive));
    }
  }
  CHECK(outcomes(five_times, six_times) == Outcome::passed);
  CHECK(outcomes(often, once) == Outcome::passed);
  // If a gate names a scope, it compares this scope, whatever the default scopes of the runs are.
  with_baseline.scope = GateScope::whole;
  CHECK(only(judgements_of(with_baseline, {loop}, {whole})).outcome == Outcome::passed);
}

TEST_CASE("a gate that names its scope is inconclusive for runs that have another by default") {
  const RunSummary whole = made_run({{&overlap_ratio, 0.9}});
  const RunSummary loop = steady_run(SteadyBy::iterations, "", 5);
  Gate gate = gate_with({half_overlap});
  const auto outcome = [&gate](GateScope scope, const RunSummary& run) {
    gate.scope = scope;
    return only(judgements_of(gate, {run})).outcome;
  };
  CHECK(outcome(GateScope::iterations, loop) == Outcome::passed);
  CHECK(outcome(GateScope::steady, loop) == Outcome::passed);
  CHECK(outcome(GateScope::whole, loop) == Outcome::passed);
  CHECK(outcome(GateScope::profiler, loop) == Outcome::inconclusive);
  CHECK(outcome(GateScope::range, loop) == Outcome::inconclusive);
  CHECK(outcome(GateScope::whole, whole) == Outcome::passed);
  CHECK(outcome(GateScope::steady, whole) == Outcome::inconclusive);
  CHECK(outcome(GateScope::iterations, whole) == Outcome::inconclusive);
  CHECK(only(judgements_of(gate, {whole})).reason ==
        Remark{RemarkKind::other_scope, {"iterations", "run.sqlite", ""}});
}

TEST_CASE("a summary that does not say its default scope is judged only by what is named") {
  RunSummary old = made_run({{&overlap_ratio, 0.9}, {&wall, 1000}});
  old.devices[0].sought_steady = false;
  add_range(old, "step");
  const RunSummary run = made_run({{&overlap_ratio, 0.9}, {&wall, 1000}});
  Gate gate = gate_with({half_overlap});
  constexpr RemarkKind untold = RemarkKind::untold_scope;
  CHECK(only(judgements_of(gate, {old})).reason.kind == untold);
  CHECK(only(judgements_of(gate, {run, old})).reason.kind == untold);
  gate.ranges = {"step"};
  CHECK(only(judgements_of(gate, {old})).outcome == Outcome::passed);
  gate = gate_with({});
  gate.baseline.emplace().measures = {&wall};
  CHECK(only(judgements_of(gate, {run}, {old})).reason.kind == untold);
  gate.scope = GateScope::whole;
  CHECK(only(judgements_of(gate, {run}, {old})).outcome == Outcome::passed);
}

TEST_CASE("a ban of what the recording could not have shown is inconclusive") {
  RunSummary run = made_run({});
  add_findings(run, {});
  for (const std::string_view code : cause_codes) {
    INFO(code);
    const Cause cause = *cause_of_code(code);
    Gate gate = gate_with({});
    gate.bans.push_back({cause, {}, {}});
    REQUIRE(only(judgements_of(gate, {run})).outcome == Outcome::passed);
    for (const std::string_view kind : records_of(cause)) {
      INFO(kind);
      RunSummary blind = run;
      REQUIRE(std::erase(blind.provenance->recorded, kind) == 1);
      const Judgement judgement = only(judgements_of(gate, {run, blind}));
      CHECK(judgement.outcome == Outcome::inconclusive);
      CHECK(judgement.reason == Remark{RemarkKind::cause_not_recorded,
                                       {"run.sqlite", std::string(code), std::string(kind)}});
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
