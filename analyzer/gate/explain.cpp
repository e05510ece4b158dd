#include "analyzer/gate/explain.h"

#include <algorithm>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

constexpr std::size_t shown = 3;

Explanation explanation_of(const FindingSummary& finding) {
  return {finding.code, finding.explanation, finding.saving_share, finding.fix};
}

std::vector<Explanation> explain_idle(const ScopeSummary& scope) {
  std::vector<Explanation> explanations;
  const MeasureSummary* held = find(scope, wall);
  if (held == nullptr || !held->value || *held->value <= 0) return explanations;
  for (const auto& [code, ns] : scope.gaps.by_cause) {
    const double share = static_cast<double>(ns) / *held->value;
    if (share < assumed::least_idle_share) continue;
    explanations.push_back({code, "The device was idle for it.", share, ""});
  }
  std::stable_sort(explanations.begin(), explanations.end(),
                   [](const Explanation& a, const Explanation& b) { return a.share > b.share; });
  if (explanations.size() > shown) explanations.resize(shown);
  return explanations;
}

}  // namespace

std::vector<Explanation> explain(const ScopeSummary& scope) {
  if (!scope.causes || scope.causes->findings.empty()) return explain_idle(scope);
  std::vector<Explanation> explanations;
  for (const FindingSummary& finding : scope.causes->findings) {
    if (explanations.size() == shown) break;
    explanations.push_back(explanation_of(finding));
  }
  return explanations;
}

std::vector<Explanation> explain(const ScopeSummary& scope, Cause cause) {
  std::vector<Explanation> explanations;
  if (!scope.causes) return explanations;
  for (const FindingSummary& finding : scope.causes->findings) {
    if (finding.code != code_of(cause) || explanations.size() == shown) continue;
    explanations.push_back(explanation_of(finding));
  }
  const auto saving = scope.causes->savings.find(std::string(code_of(cause)));
  if (explanations.empty() && saving != scope.causes->savings.end()) {
    explanations.push_back({saving->first, "It saves less than makes a finding.", saving->second,
                            "`lapscope analyze --min-saving 0` shows where it comes from."});
  }
  return explanations;
}

}  // namespace lapscope::analyzer
