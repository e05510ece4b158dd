#include "analyzer/analysis/verdict.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

bool is_wait(const BlameRow& row) { return row.kind == BlameKind::wait; }

// Whether the device's idle time is so short that less waiting would not help the program.
bool is_hardly_idle(const ScopeResult& scope) {
  return scope.window.length() > 0 && !scope.measures.empty() &&
         portion(scope.gaps.total_ns, scope.window.length()) < assumed::least_saving;
}

// Whether waiting is a large part of the critical path. False if an engine is the bound, or if the
// device is hardly idle. In both cases, less waiting would hardly help.
bool waits(const ScopeResult& scope) {
  const CausesResult& causes = *scope.causes;
  if (causes.bound_share >= assumed::bound_engine || is_hardly_idle(scope)) return false;
  Ns ns = 0;
  for (const BlameRow& row : causes.blame) ns += is_wait(row) ? row.ns : 0;
  return portion(ns, explained_ns(scope)) >= assumed::large_part;
}

// Returns the requested scopes of each device. If no device has a requested scope, returns the
// whole devices.
std::vector<std::vector<const ScopeResult*>> judged_scopes(const Report& report) {
  const bool has_ranges =
      std::ranges::any_of(report.devices, [](const DeviceResult& d) { return !d.ranges.empty(); });
  std::vector<std::vector<const ScopeResult*>> by_device;
  for (const DeviceResult& device : report.devices) {
    auto& scopes = by_device.emplace_back();
    for (const RangeResult& range : device.ranges) scopes.push_back(&range.scope);
    if (!has_ranges) scopes.push_back(&device.scope);
  }
  return by_device;
}

// Whether another scope explains the time of an inconclusive `scope`. The other scope must be in
// `judged`. It must be conclusive, contain `scope`, and be longer than `scope`. Returns false if
// `scope` is inconclusive because records are missing.
bool is_named_by_another(const ScopeResult& scope, const std::vector<const ScopeResult*>& judged) {
  if (!scope.causes->has_evidence()) return false;
  return std::ranges::any_of(judged, [&scope](const ScopeResult* other) {
    return other->window.start <= scope.window.start && scope.window.end <= other->window.end &&
           other->window.length() > scope.window.length() && other->causes &&
           other->causes->is_conclusive();
  });
}

}  // namespace

namespace {

Ns most_saving_of(const ScopeResult& scope) {
  Ns most = 0;
  if (!scope.causes) return most;
  for (const auto& finding : scope.causes->findings) most = std::max(most, finding.saving_ns);
  return most;
}

// Returns the first advice with `is_main`; null if there is none.
const Advice* main_step(const CausesResult& causes) {
  const auto found = std::ranges::find_if(causes.advice, &Advice::is_main);
  return found == causes.advice.end() ? nullptr : &*found;
}

}  // namespace

const ScopeResult& scope_to_show(const DeviceResult& device) {
  const auto most =
      std::ranges::max_element(device.ranges, [](const RangeResult& a, const RangeResult& b) {
        return most_saving_of(a.scope) < most_saving_of(b.scope);
      });
  return most == device.ranges.end() ? device.scope : most->scope;
}

const DeviceResult* device_to_show(const Report& report) {
  const auto found = std::ranges::max_element(report.devices, [](const auto& a, const auto& b) {
    return std::tuple(most_saving_of(scope_to_show(a)), judged_of(a).ops) <
           std::tuple(most_saving_of(scope_to_show(b)), judged_of(b).ops);
  });
  return found == report.devices.end() ? nullptr : &*found;
}

const ExposedCommunication* exposed_communication(const CausesResult& causes) {
  for (const Advice& one : causes.advice) {
    if (const auto* exposed = std::get_if<ExposedCommunication>(&one.seen)) return exposed;
  }
  return nullptr;
}

Ns explained_ns(const ScopeResult& scope) {
  if (scope.causes && scope.causes->correction) return scope.causes->correction->corrected_ns;
  return scope.window.length();
}

Ns modelled_ns(const ScopeResult& scope) {
  const bool is_replayed = scope.causes && scope.causes->replay.wall_ns > 0;
  return is_replayed ? scope.causes->replay.wall_ns : explained_ns(scope);
}

double part_of_modelled(Ns ns, const ScopeResult& scope) { return portion(ns, modelled_ns(scope)); }

ModelCheck model_check_of(double blind_error) {
  const double off = std::abs(blind_error);
  if (off > assumed::majority) return ModelCheck::useless;
  return off > assumed::most_unaccounted ? ModelCheck::doubtful : ModelCheck::good;
}

Headline headline_of(const ScopeResult& scope) {
  using About = Headline::About;
  if (scope.impossible_ops > 0) return {.about = About::impossible_ops};
  if (!scope.causes) return {};
  const CausesResult& causes = *scope.causes;
  if (!causes.is_accounted()) return {.about = About::unaccounted};
  if (causes.sample && !causes.sample->is_like_the_whole()) return {.about = About::unlike};
  const auto about = [&scope](About which, const FindingResult& finding) {
    return Headline{.about = which,
                    .share = part_of_modelled(finding.saving_ns, scope),
                    .most_share = part_of_modelled(finding.most_saving_ns, scope),
                    .finding = &finding};
  };
  const bool is_told = model_check_of(causes.replay) != ModelCheck::useless;
  if (!causes.findings.empty()) {
    return about(is_told ? About::saving : About::finding, causes.findings.front());
  }
  if (const Advice* step = main_step(causes)) {
    return {.about = About::advice, .share = causes.bound_share, .step = step};
  }
  if (!causes.has_evidence()) return {.about = About::unchecked};
  Headline headline;
  if (waits(scope)) {
    const BlameRow& wait = *std::ranges::find_if(causes.blame, is_wait);
    headline = {
        .about = About::wait, .share = portion(wait.ns, explained_ns(scope)), .wait = &wait};
  }
  if (!causes.questions.empty() && is_told) {
    const Headline question = about(About::question, causes.questions.front());
    if (question.most_share >= headline.share) headline = question;
  }
  const ExposedCommunication* exposed = exposed_communication(causes);
  if (exposed && exposed->share >= std::max(headline.share, headline.most_share)) {
    return {.about = About::communication, .share = exposed->share, .waiting = exposed->waiting};
  }
  if (headline.about != About::not_analyzed) return headline;
  if (causes.bound_share >= assumed::majority || !is_hardly_idle(scope)) {
    return {.about = About::bound, .share = causes.bound_share};
  }
  return {.about = About::busy, .share = 1 - portion(scope.gaps.total_ns, scope.window.length())};
}

Verdict verdict_of(const ScopeResult& scope) {
  if (scope.impossible_ops > 0) return Verdict::inconclusive;
  if (!scope.causes) return Verdict::unknown;
  const CausesResult& causes = *scope.causes;
  if (!causes.is_conclusive()) return Verdict::inconclusive;
  if (!causes.findings.empty() || main_step(causes) != nullptr) return Verdict::findings;
  if (waits(scope)) return Verdict::findings;
  const bool is_asked = !causes.questions.empty() || exposed_communication(causes) != nullptr;
  return is_asked ? Verdict::possible : Verdict::ok;
}

Verdict verdict_of(const Report& report) {
  if (report.trust == Trust::inconclusive) return Verdict::inconclusive;
  bool is_any = false;
  bool is_known = true;
  bool has_findings = false;
  bool has_questions = false;
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
      has_questions |= verdict == Verdict::possible;
    }
  }
  if (has_findings) return Verdict::findings;
  if (!is_any || !is_known) return Verdict::unknown;
  return has_questions ? Verdict::possible : Verdict::ok;
}

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view names[] = {"ok", "possible", "findings", "inconclusive", ""};
  static_assert(std::size(names) == static_cast<std::size_t>(Verdict::unknown) + 1);
  return names[static_cast<std::size_t>(verdict)];
}

}  // namespace lapscope::analyzer
