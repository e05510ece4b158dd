#include "analyzer/gate/judge_conditions.h"

#include <algorithm>
#include <cmath>

#include "analyzer/findings/find_causes.h"
#include "analyzer/gate/compare.h"
#include "analyzer/gate/troubles.h"

namespace lapscope::analyzer {
namespace {

// Returns the values of a measure in all runs, or the reason why they cannot be compared with a
// bound.
Figures judged_figures(const Gate& gate, const Measure& measure,
                       std::span<const ScopeSummary* const> scopes, Runs runs) {
  Figures figures = figures_of(measure, scopes, runs);
  if (auto trouble = trouble_of(gate, measure, runs); !trouble.empty()) {
    figures = {std::nullopt, std::move(trouble)};
  }
  return figures;
}

double share_in(const std::map<std::string, Share>& shares, const Ban& ban) {
  const auto found = shares.find(std::string(code_of(ban.cause)));
  return found == shares.end() ? 0 : found->second;
}

// Returns the share of the wall time that the fixes of questions would save. Returns 0 if the gate
// allows questions.
Share possible_share(const Gate& gate, const Ban& ban, const ScopeSummary& scope) {
  return gate.forbids_possible ? share_in(scope.causes->possible.value(), ban) : 0;
}

// Sets the outcome of a ban without `allowed`. Such a ban forbids every finding about its cause,
// even if the finding saves little.
void judge_findings(Judgement& judgement, const Gate& gate, const Ban& ban, const GatedWork& work) {
  const auto is_found = [&](const ScopeSummary* scope) {
    const auto& findings = scope->causes->findings;
    return possible_share(gate, ban, *scope) >= *judgement.bound ||
           std::any_of(findings.begin(), findings.end(), [&ban](const FindingSummary& finding) {
             return finding.code == code_of(ban.cause);
           });
  };
  const std::int64_t found = std::count_if(work.scopes.begin(), work.scopes.end(), is_found);
  const auto all = static_cast<std::int64_t>(work.scopes.size());
  judgement.reason = {};
  judgement.outcome = found == 0     ? Outcome::passed
                      : found == all ? Outcome::failed
                                     : Outcome::inconclusive;
  if (judgement.outcome == Outcome::inconclusive) {
    judgement.reason = {RemarkKind::found_in_some, {found, all}};
  } else if (judgement.outcome == Outcome::passed && *judgement.margin <= 0) {
    judgement.reason = {RemarkKind::too_little,
                        {static_cast<double>(CauseOptions().least_saving_ns) / 1e3}};
  }
}

// Adds the scope of the same work in each run of the baseline to `scopes`. If a run has no such
// scope or cannot be compared, returns the reason. Otherwise, returns an empty remark.
Remark baseline_scopes(const Gate& gate, const GatedWork& work, Runs runs, Runs baseline,
                       std::vector<const ScopeSummary*>& scopes) {
  for (const RunSummary& run : baseline) {
    const bool only = runs[0].devices.size() == 1;
    const DeviceSummary* device = counterpart(run, work.device, only);
    const ScopeSummary* scope = device == nullptr ? nullptr : scope_of(work, *device);
    if (work.is_default) {
      if (auto trouble = trouble_of_untold(gate, {&run, 1}); !trouble.empty()) return trouble;
    }
    if (scope == nullptr) {
      return {RemarkKind::baseline_lacks_work, {run.source(), name_of(work)}};
    }
    if (work.is_default) {
      auto trouble = trouble_of_unlike(*work.scopes.front(), runs.front(), *scope, run);
      if (!trouble.empty()) return trouble;
    }
    if (auto trouble = trouble_of_left_out(*scope, run); !trouble.empty()) return trouble;
    if (scope->ops < gate.least_ops) {
      return {RemarkKind::baseline_few_ops, {run.source(), scope->ops, gate.least_ops}};
    }
    if (device->name != work.gpu && !gate.allow_other_gpu) {
      return {RemarkKind::baseline_other_gpu, {device->name, work.gpu}};
    }
    scopes.push_back(scope);
  }
  return {};
}

}  // namespace

void judge_bound(Judgement& judgement, const Gate& gate, const Bound& bound, const GatedWork& work,
                 Runs runs) {
  const Figures figures = judged_figures(gate, *bound.measure, work.scopes, runs);
  if (!figures.repeats) {
    judgement.reason = figures.trouble;
    return;
  }
  compare(judgement, *figures.repeats, {bound.value, bound.value, bound.value});
}

void judge_ban(Judgement& judgement, const Gate& gate, const Ban& ban, const GatedWork& work,
               Runs runs) {
  judgement.reason = trouble_of(gate, ban, work, runs);
  if (!judgement.reason.empty()) return;
  std::vector<Share> shares;
  bool is_only_possible = false;
  for (const ScopeSummary* scope : work.scopes) {
    const double shown = share_in(scope->causes->savings, ban);
    const double possible = possible_share(gate, ban, *scope);
    is_only_possible |= possible > shown;
    shares.push_back(std::max(shown, possible));
  }
  const double bound = *judgement.bound;
  compare(judgement, repeats_of(std::move(shares)), {bound, bound, bound});
  if (!ban.allowed) judge_findings(judgement, gate, ban, work);
  if (is_only_possible && judgement.outcome == Outcome::failed) {
    judgement.reason = {RemarkKind::only_possible};
  }
}

void judge_baseline(Judgement& judgement, const Gate& gate, const Measure& measure,
                    const GatedWork& work, Runs runs, Runs baseline) {
  const Figures now = judged_figures(gate, measure, work.scopes, runs);
  if (!now.repeats) {
    judgement.reason = now.trouble;
    return;
  }
  judgement.value = now.repeats;
  std::vector<const ScopeSummary*> then_scopes;
  judgement.reason = trouble_of_baseline(gate, runs, baseline);
  if (judgement.reason.empty()) {
    judgement.reason = baseline_scopes(gate, work, runs, baseline, then_scopes);
  }
  if (!judgement.reason.empty()) return;
  const Figures then = judged_figures(gate, measure, then_scopes, baseline);
  if (!then.repeats) {
    judgement.reason = then.trouble;
    judgement.reason.is_of_baseline = true;
    return;
  }
  judgement.baseline = then.repeats->median;
  const Tolerance& tolerance = gate.baseline->tolerance;
  const double absolute = measure.unit == MeasureUnit::ns ? tolerance.ns : tolerance.ratio;
  const auto bound = [&](double value) {
    const double allowed = std::max(tolerance.relative * std::abs(value), absolute);
    return judgement.sense == Sense::at_least ? value - allowed : value + allowed;
  };
  compare(judgement, *now.repeats,
          {bound(then.repeats->low), bound(then.repeats->median), bound(then.repeats->high)});
}

void apply_waivers(Judgement& judgement, const Gate& gate, const Date& today) {
  // A condition may have an expired waiver and a renewed one. The one with the latest date applies.
  const Waiver* waiver = nullptr;
  for (const Waiver& candidate : gate.waivers) {
    if (candidate.condition != judgement.condition) continue;
    if (waiver == nullptr || waiver->until < candidate.until) waiver = &candidate;
  }
  if (waiver == nullptr) return;
  const bool expired = waiver->until < today;
  if (judgement.outcome == Outcome::failed) {
    judgement.waiver = *waiver;
    if (!expired) judgement.outcome = Outcome::waived;
    judgement.reason = {expired ? RemarkKind::waiver_expired : RemarkKind::waived,
                        {text_of(waiver->until), waiver->reason}};
  } else if (judgement.outcome == Outcome::passed) {
    judgement.reason = {RemarkKind::waiver_unneeded};
  }
}

}  // namespace lapscope::analyzer
