#include "analyzer/gate/judge_run.h"

#include <algorithm>
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
// has a range that the gate names.
Remark trouble_of_ranks(const Gate& gate, Runs ranks) {
  for (const RunSummary& rank : ranks) {
    if (auto trouble = trouble_of(gate, Runs(&rank, 1)); !trouble.empty()) return trouble;
  }
  if (gate.ranges.empty() && !gate.profiler_brackets) return {};
  const auto missing = missing_work(gate, gated_work_of(gate, ranks));
  if (missing.empty()) return {};
  return {RemarkKind::missing_range, {gate.traces.front(), missing.front()}};
}

// Considers the findings of the forbidden cause. If `with_questions` is set, also considers its
// questions. Returns the finding or question with the largest saving. Returns null if there is
// none.
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
  judgement.reason = {RemarkKind::recorder_decides, {gate.traces.front()}};
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
  const auto severity = [](const Judgement& one) {
    constexpr int severities[] = {3, 2, 0, 1};  // passed, waived, failed, inconclusive
    return severities[static_cast<std::size_t>(one.outcome)];
  };
  JudgedGate result = ranks.front();
  result.name = name;
  std::size_t most = result.judgements.size();
  for (const JudgedGate& rank : ranks.subspan(1)) {
    result.files.insert(result.files.end(), rank.files.begin(), rank.files.end());
    most = std::max(most, rank.judgements.size());
  }
  // A rank with several devices has more judgements than other ranks. All its judgements are kept.
  result.judgements.resize(most);
  for (std::size_t c = 0; c < result.judgements.size(); ++c) {
    std::vector<std::pair<const Judgement*, const JudgedGate*>> judgements;
    for (const JudgedGate& rank : ranks) {
      if (c < rank.judgements.size()) judgements.push_back({&rank.judgements[c], &rank});
    }
    std::stable_sort(judgements.begin(), judgements.end(), [&](const auto& a, const auto& b) {
      return std::pair(severity(*a.first), a.first->margin.value_or(0)) <
             std::pair(severity(*b.first), b.first->margin.value_or(0));
    });
    const std::size_t which = over == OverRanks::median ? (judgements.size() - 1) / 2 : 0;
    result.judgements[c] = *judgements[which].first;
    result.judgements[c].subject = judgements[which].second->name;
  }
  return result;
}

}  // namespace lapscope::analyzer
