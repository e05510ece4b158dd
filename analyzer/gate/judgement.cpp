#include "analyzer/gate/judgement.h"

#include <algorithm>
#include <functional>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

std::string_view name_of(Outcome outcome) {
  constexpr std::string_view names[] = {"passed", "waived", "failed", "inconclusive"};
  static_assert(std::size(names) == static_cast<std::size_t>(Outcome::inconclusive) + 1);
  return names[static_cast<std::size_t>(outcome)];
}

namespace {

constexpr int OutcomeCounts::*by_outcome[] = {&OutcomeCounts::passed, &OutcomeCounts::waived,
                                              &OutcomeCounts::failed, &OutcomeCounts::inconclusive};

void add(std::span<const Judgement> judgements, OutcomeCounts& counts) {
  for (const Judgement& one : judgements) {
    ++(counts.*by_outcome[static_cast<std::size_t>(one.outcome)]);
  }
}

}  // namespace

OutcomeCounts counts_of(std::span<const Judgement> judgements) {
  OutcomeCounts counts;
  add(judgements, counts);
  return counts;
}

OutcomeCounts counts_of(const GateReport& report) {
  OutcomeCounts counts;
  for (const JudgedGate& gate : report.gates) add(gate.judgements, counts);
  return counts;
}

Outcome verdict_of(const GateReport& report) {
  const OutcomeCounts counts = counts_of(report);
  if (counts.failed > 0) return Outcome::failed;
  const bool judged_nothing = std::ranges::any_of(
      report.gates, [](const JudgedGate& gate) { return gate.judgements.empty(); });
  if (counts.inconclusive > 0 || judged_nothing || report.gates.empty())
    return Outcome::inconclusive;
  return Outcome::passed;
}

namespace {

constexpr std::size_t most_explanations = 3;

Explanation explanation_of(const FindingSummary& finding) {
  return {Explanation::Kind::finding, finding.code, finding.saving_share,
          finding.explanation,        finding.fix,  finding.at};
}

std::vector<Explanation> explain_idle(const ScopeSummary& scope) {
  std::vector<Explanation> explanations;
  const MeasureSummary* entry = find(scope, wall);
  if (entry == nullptr || !entry->value || *entry->value <= 0) return explanations;
  for (const auto& [code, ns] : scope.gaps.by_cause) {
    const Share share = static_cast<double>(ns) / *entry->value;
    if (share < assumed::noteworthy) continue;
    explanations.push_back({Explanation::Kind::idle, code, share});
  }
  std::ranges::stable_sort(explanations, std::greater(), &Explanation::share);
  if (explanations.size() > most_explanations) explanations.resize(most_explanations);
  return explanations;
}

}  // namespace

std::vector<Explanation> explain(const ScopeSummary& scope) {
  if (!scope.causes || scope.causes->findings.empty()) return explain_idle(scope);
  std::vector<Explanation> explanations;
  for (const FindingSummary& finding : scope.causes->findings) {
    if (explanations.size() == most_explanations) break;
    explanations.push_back(explanation_of(finding));
  }
  return explanations;
}

std::vector<Explanation> explain(const ScopeSummary& scope, Cause cause) {
  std::vector<Explanation> explanations;
  if (!scope.causes) return explanations;
  for (const FindingSummary& finding : scope.causes->findings) {
    if (finding.code != code_of(cause) || explanations.size() == most_explanations) continue;
    explanations.push_back(explanation_of(finding));
  }
  const auto saving = scope.causes->savings.find(std::string(code_of(cause)));
  if (explanations.empty() && saving != scope.causes->savings.end()) {
    explanations.push_back({Explanation::Kind::little, saving->first, saving->second});
  }
  return explanations;
}

}  // namespace lapscope::analyzer
