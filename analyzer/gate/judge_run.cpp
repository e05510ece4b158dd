#include "analyzer/gate/judge_run.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/gate/compare.h"
#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/judge_conditions.h"
#include "analyzer/gate/troubles.h"

namespace lapscope::analyzer {
namespace {

// Returns `part` as a share of `wall`, which is above 0 in a run with findings.
Share share_of(Ns part, Ns wall) { return static_cast<double>(part) / static_cast<double>(wall); }

// Returns the reason why the ranks cannot be evaluated together: a rank is not reliable, or no rank
// has a range that the gate names. Otherwise, returns an empty remark.
Remark trouble_of_ranks(const Gate& gate, Runs ranks) {
  for (const RunSummary& rank : ranks) {
    if (auto trouble = trouble_of(gate, Runs(&rank, 1)); !trouble.empty()) return trouble;
  }
  // The summaries may lack the scopes of the ranks. If so, missing ranges cannot be found here.
  const bool has_scopes =
      std::ranges::any_of(ranks, [](const RunSummary& rank) { return !rank.devices.empty(); });
  if (!has_scopes || (gate.ranges.empty() && !gate.profiler_brackets)) return {};
  const auto missing = missing_work(gate, gated_work_of(gate, ranks));
  if (missing.empty()) return {};
  return {RemarkKind::missing_range, {gate.traces.front(), missing.front()}};
}

// Returns the finding of the forbidden cause with the largest saving, or null. If `with_questions`
// is set, also considers questions.
const RunFinding* found(const RunResult& run, const RunBan& ban, bool with_questions) {
  const RunFinding* most = nullptr;
  const auto look_in = [&](const std::vector<RunFinding>& findings) {
    for (const RunFinding& finding : findings) {
      if (finding.cause != ban.cause) continue;
      if (most == nullptr || finding.saving > most->saving) most = &finding;
    }
  };
  look_in(run.findings);
  if (with_questions) look_in(run.questions);
  return most;
}

// Returns the reason why `cause` may cost more than `bound` although it has no finding. `bound` is
// a share of the run's window. For example, ranks wait without a known cause: stragglers may be the
// cause of these waits. Returns an empty remark if there is no such reason.
Remark hidden_in(const RunResult& run, RunCause cause, double bound, const std::string& file) {
  if (run.ranks.size() < 2 || run.collectives + run.exchanges == 0) {
    return {RemarkKind::ranks_not_joined, {file}};
  }
  const Share least = std::max(bound, static_cast<double>(assumed::least_saving));
  const Share waits = unexplained_waits(run, least);
  if (cause == RunCause::straggler && waits > 0) {
    return {RemarkKind::waits_unexplained, {file, 100 * waits}};
  }
  const Share unknown = portion(mean_time(run).other_communication, run.window.length());
  if (unknown >= least) return {RemarkKind::ranks_not_known, {file, 100 * unknown}};
  return {};
}

void judge(Judgement& judgement, const RunFinding* finding, Ns wall, const Gate& gate) {
  const double bound = *judgement.bound;
  const auto compare_with = [&](Share share) {
    compare(judgement, repeats_of({share}), {bound, bound, bound});
  };
  compare_with(finding == nullptr ? 0 : share_of(finding->saving, wall));
  if (finding == nullptr || judgement.outcome == Outcome::failed) return;
  compare_with(share_of(finding->most_saving, wall));
  if (judgement.outcome != Outcome::failed) return;
  judgement.outcome = Outcome::inconclusive;
  judgement.reason = {RemarkKind::range_decides, {gate.traces.front()}};
}

// Returns a key that orders judgements from worst to best.
std::pair<int, double> order_of(const Judgement& one) {
  constexpr int severities[] = {3, 2, 0, 1};  // passed, waived, failed, inconclusive
  return {severities[static_cast<std::size_t>(one.outcome)], one.margin.value_or(0)};
}

// Whether two judgements are about the same condition and scope. All scopes that a run lacks count
// as the same scope.
bool are_of_one_row(const Judgement& a, const Judgement& b) {
  if (a.condition != b.condition || a.lacks_scope != b.lacks_scope) return false;
  return a.lacks_scope || a.scope == b.scope;
}

bool has_scope_for(const JudgedGate& rank, std::string_view condition) {
  return std::ranges::any_of(rank.judgements, [condition](const Judgement& one) {
    return one.condition == condition && !one.lacks_scope;
  });
}

// Returns the rank's worst judgement for which are_of_one_row(judgement, like) is true; null if
// there is none.
const Judgement* worst_like(const JudgedGate& rank, const Judgement& like) {
  const Judgement* worst = nullptr;
  for (const Judgement& one : rank.judgements) {
    if (!are_of_one_row(one, like)) continue;
    if (worst == nullptr || order_of(one) < order_of(*worst)) worst = &one;
  }
  return worst;
}

Judgement judged_over(std::span<const JudgedGate> ranks, OverRanks over, const Judgement& like) {
  std::vector<std::pair<const Judgement*, const JudgedGate*>> judgements;
  const JudgedGate* lacking = nullptr;
  for (const JudgedGate& rank : ranks) {
    if (const Judgement* worst = worst_like(rank, like)) {
      judgements.push_back({worst, &rank});
    } else {
      lacking = &rank;
    }
  }
  std::ranges::stable_sort(judgements, {}, [](const auto& one) { return order_of(*one.first); });
  const auto& [which, rank] =
      judgements[over == OverRanks::median ? (judgements.size() - 1) / 2 : 0];
  Judgement result = *which;
  result.subject = rank->name + ", " + result.subject;
  const bool stays_failed = over == OverRanks::worst && result.outcome == Outcome::failed;
  if (lacking == nullptr || stays_failed || result.outcome == Outcome::inconclusive) return result;
  result.outcome = Outcome::inconclusive;
  result.reason = {RemarkKind::not_in_this_run, {lacking->files.front()}};
  result.waiver.reset();
  result.because.clear();
  return result;
}

// Returns a gate with the files, scopes and notes of all ranks, each once, and without judgements.
JudgedGate merged(std::span<const JudgedGate> ranks) {
  const auto key_of = [](const JudgedScope& scope) {
    return std::tie(scope.device, scope.kind, scope.range, scope.is_default, scope.words.source);
  };
  JudgedGate result;
  result.place = ranks.front().place;
  result.baseline = ranks.front().baseline;
  for (const JudgedGate& rank : ranks) {
    result.files.insert(result.files.end(), rank.files.begin(), rank.files.end());
    for (const JudgedScope& scope : rank.scopes) {
      const bool is_known = std::ranges::any_of(
          result.scopes, [&](const JudgedScope& one) { return key_of(one) == key_of(scope); });
      if (!is_known) result.scopes.push_back(scope);
    }
    for (const Remark& note : rank.notes) {
      if (std::ranges::find(result.notes, note) == result.notes.end()) result.notes.push_back(note);
    }
  }
  return result;
}

}  // namespace

JudgedGate judge_run(const Gate& gate, const RunResult& run, Runs ranks,
                     const std::function<Explanation(const RunFinding&)>& words_of,
                     const Date& today) {
  JudgedGate judged;
  judged.name = gate.name;
  judged.place = gate.place;
  judged.files = gate.traces;
  const Remark trouble = trouble_of_ranks(gate, ranks);
  for (const RunBan& ban : gate.run_bans) {
    Judgement judgement;
    judgement.subject = "all ranks";
    judgement.condition = name_of(ban);
    judgement.place = ban.place;
    judgement.sense = Sense::at_most;
    judgement.bound = ban.allowed.value_or(assumed::least_saving);
    judgement.is_below = !ban.allowed;
    const RunFinding* finding = found(run, ban, gate.forbids_possible);
    if (trouble.empty()) {
      judge(judgement, finding, run.window.length(), gate);
      const Remark hidden = hidden_in(run, ban.cause, *judgement.bound, gate.traces.front());
      if (judgement.outcome == Outcome::passed && !hidden.empty()) {
        judgement.outcome = Outcome::inconclusive;
        judgement.reason = hidden;
      }
    } else {
      judgement.reason = trouble;
    }
    if (judgement.outcome == Outcome::failed) judgement.because = {words_of(*finding)};
    apply_waivers(judgement, gate, today);
    judged.judgements.push_back(std::move(judgement));
  }
  return judged;
}

JudgedGate judge_over_ranks(std::span<const JudgedGate> ranks, OverRanks over,
                            const std::string& name) {
  JudgedGate result = merged(ranks);
  result.name = name;
  std::set<std::pair<std::string, std::string>> known;
  for (const JudgedGate& first : ranks) {
    for (const Judgement& judgement : first.judgements) {
      // A rank that lacks the scope gets a row of its own only if all ranks lack the scope.
      // Otherwise, judged_over() counts the rank in the row of the scope.
      const bool is_elsewhere = std::ranges::any_of(ranks, [&judgement](const JudgedGate& rank) {
        return has_scope_for(rank, judgement.condition);
      });
      if (judgement.lacks_scope && is_elsewhere) continue;
      const std::string scope = judgement.lacks_scope ? "" : judgement.scope;
      if (!known.insert({judgement.condition, scope}).second) continue;
      result.judgements.push_back(judged_over(ranks, over, judgement));
    }
  }
  return result;
}

}  // namespace lapscope::analyzer
