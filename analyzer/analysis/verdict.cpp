#include "analyzer/analysis/verdict.h"

#include <algorithm>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Time on the critical path in which nothing ran for the scope, of which it could be free.
Ns waiting_ns(const CausesResult& causes) {
  Ns ns = 0;
  for (const BlameRow& row : causes.blame) {
    if (row.kind == BlameKind::wait) ns += row.ns;
  }
  return ns;
}

// What was asked for of a device; the whole where nothing was of any.
std::vector<std::vector<const ScopeResult*>> judged_scopes(const Report& report) {
  const bool has_ranges = std::any_of(report.devices.begin(), report.devices.end(),
                                      [](const DeviceResult& d) { return !d.ranges.empty(); });
  std::vector<std::vector<const ScopeResult*>> by_device;
  for (const DeviceResult& device : report.devices) {
    auto& scopes = by_device.emplace_back();
    for (const RangeResult& range : device.ranges) scopes.push_back(&range.scope);
    if (!has_ranges) scopes.push_back(&device.scope);
  }
  return by_device;
}

// Whether a range that is not accounted for is part of a longer one that is, and was asked for,
// too: what held its work up is there.
bool is_named_by_another(const ScopeResult& scope, const std::vector<const ScopeResult*>& judged) {
  if (!scope.causes->has_evidence()) return false;
  return std::any_of(judged.begin(), judged.end(), [&scope](const ScopeResult* other) {
    return other->window.start <= scope.window.start && scope.window.end <= other->window.end &&
           other->window.length() > scope.window.length() && other->causes &&
           other->causes->is_conclusive();
  });
}

}  // namespace

const Advice* main_step(const CausesResult& causes) {
  const auto found = std::find_if(causes.advice.begin(), causes.advice.end(),
                                  [](const Advice& one) { return one.is_main; });
  return found == causes.advice.end() ? nullptr : &*found;
}

Ns explained_ns(const ScopeResult& scope) {
  if (scope.causes && scope.causes->correction) return scope.causes->correction->corrected_ns;
  return scope.window.length();
}

Verdict verdict_of(const ScopeResult& scope) {
  if (scope.impossible_ops > 0) return Verdict::inconclusive;
  if (!scope.causes) return Verdict::unknown;
  const CausesResult& causes = *scope.causes;
  if (!causes.is_conclusive()) return Verdict::inconclusive;
  if (!causes.findings.empty() || main_step(causes) != nullptr) return Verdict::findings;
  if (causes.bound_share >= assumed::bound_engine) return Verdict::ok;
  const auto wall = static_cast<double>(explained_ns(scope));
  const bool waits = static_cast<double>(waiting_ns(causes)) >= assumed::large_part * wall;
  return waits && wall > 0 ? Verdict::findings : Verdict::ok;
}

Verdict verdict_of(const Report& report) {
  if (report.trust == Trust::inconclusive) return Verdict::inconclusive;
  bool is_any = false;
  bool is_known = true;
  bool has_findings = false;
  for (const auto& scopes : judged_scopes(report)) {
    for (const ScopeResult* scope : scopes) {
      const Verdict verdict = verdict_of(*scope);
      if (verdict == Verdict::inconclusive) {
        if (scope->impossible_ops == 0 && is_named_by_another(*scope, scopes)) continue;
        return verdict;
      }
      is_any = true;
      is_known &= verdict != Verdict::unknown;
      has_findings |= verdict == Verdict::findings;
    }
  }
  if (has_findings) return Verdict::findings;
  return is_any && is_known ? Verdict::ok : Verdict::unknown;
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::findings:
      return "findings";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::unknown:
      break;
  }
  return "";
}

}  // namespace lapscope::analyzer
