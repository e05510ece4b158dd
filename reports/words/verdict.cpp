#include "reports/words/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "analyzer/model/assumptions.h"
#include "reports/words/accuracy.h"
#include "reports/words/format.h"
#include "reports/words/names.h"
#include "reports/words/recorder_words.h"

namespace lapscope::reports {

using analyzer::DeviceResult;
using analyzer::Report;
using analyzer::ScopeResult;

namespace {

constexpr std::size_t most_in_headline = 48;

// Time on the critical path in which nothing ran for the scope, of which it could be free.
std::int64_t waiting_ns(const analyzer::CausesResult& causes) {
  std::int64_t ns = 0;
  for (const analyzer::BlameRow& row : causes.blame) {
    if (row.kind == analyzer::BlameKind::wait) ns += row.ns;
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
    for (const analyzer::RangeResult& range : device.ranges) scopes.push_back(&range.scope);
    if (!has_ranges) scopes.push_back(&device.scope);
  }
  return by_device;
}

// Whether a range that is not accounted for is part of a longer one that is, and was asked for,
// too: what held its work up is there.
bool is_told_by_another(const ScopeResult& scope, const std::vector<const ScopeResult*>& judged) {
  if (!scope.causes->has_evidence()) return false;
  return std::any_of(judged.begin(), judged.end(), [&scope](const ScopeResult* other) {
    return other->window.start <= scope.window.start && scope.window.end <= other->window.end &&
           other->window.length() > scope.window.length() && other->causes &&
           other->causes->is_conclusive();
  });
}

}  // namespace

Verdict verdict_of(const ScopeResult& scope) {
  if (scope.left_out > 0) return Verdict::inconclusive;
  if (!scope.causes) return Verdict::unknown;
  const analyzer::CausesResult& causes = *scope.causes;
  if (!causes.is_conclusive()) return Verdict::inconclusive;
  if (!causes.findings.empty()) return Verdict::findings;
  if (causes.bound_share >= analyzer::assumed::bound_engine) return Verdict::ok;
  const auto wall = static_cast<double>(explained_ns(scope));
  const bool waits =
      static_cast<double>(waiting_ns(causes)) >= analyzer::assumed::large_part * wall;
  return waits && wall > 0 ? Verdict::findings : Verdict::ok;
}

Verdict verdict_of(const Report& report) {
  if (report.trust == analyzer::Trust::inconclusive) return Verdict::inconclusive;
  bool is_any = false;
  bool is_known = true;
  bool has_findings = false;
  for (const auto& scopes : judged_scopes(report)) {
    for (const ScopeResult* scope : scopes) {
      const Verdict verdict = verdict_of(*scope);
      if (verdict == Verdict::inconclusive) {
        if (scope->left_out == 0 && is_told_by_another(*scope, scopes)) continue;
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

std::string_view code_of(Verdict verdict) {
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

const analyzer::Value* value_of(const ScopeResult& scope, std::string_view measure) {
  const auto found =
      std::find_if(scope.measures.begin(), scope.measures.end(),
                   [measure](const auto& result) { return result.measure->name == measure; });
  return found == scope.measures.end() ? nullptr : &found->value;
}

std::int64_t ns_of(const ScopeResult& scope, std::string_view measure) {
  const analyzer::Value* value = value_of(scope, measure);
  const auto* ns = value ? std::get_if<analyzer::Nanoseconds>(value) : nullptr;
  return ns ? ns->count : 0;
}

namespace {

// How many times as long as alone kernels take, where they are known to slow each other down.
std::optional<analyzer::Ratio> stretch_of(const ScopeResult& scope) {
  const analyzer::Value* value = value_of(scope, "stretch");
  const auto* ratio = value ? std::get_if<analyzer::Ratio>(value) : nullptr;
  if (!ratio || ratio->value() < 1 + analyzer::assumed::alone_beside) return std::nullopt;
  return *ratio;
}

// Of all kernels, those that ran alone among them.
std::string shares_sentence(const ScopeResult& scope, const analyzer::Ratio& stretch) {
  const auto busy = static_cast<double>(ns_of(scope, "busy"));
  const auto wall = static_cast<double>(ns_of(scope, "wall"));
  return fmt::format(
      "{} share the multiprocessors: on average they take {:.1f} times as long as alone.",
      busy >= analyzer::assumed::bound_engine * wall ? "GPU busy, kernels" : "Kernels",
      stretch.value());
}

// Where kernels ran beside each other and it is not known whether that made them longer.
bool is_stretch_unknown(const ScopeResult& scope) {
  const analyzer::Value* value = value_of(scope, "stretch");
  if (!value || !std::holds_alternative<analyzer::Undefined>(*value)) return false;
  const analyzer::Value* both = value_of(scope, "kernel_overlap");
  const auto* ratio = both ? std::get_if<analyzer::Ratio>(both) : nullptr;
  return ratio && ratio->numerator > 0;
}

}  // namespace

std::string overlap_sentence(const ScopeResult& scope) {
  std::int64_t sum = ns_of(scope, "sum");
  const std::int64_t busy = ns_of(scope, "busy");
  const std::int64_t wall = ns_of(scope, "wall");
  const std::string took = fmt::format("{} of work took {}", format_ns(sum), format_ns(wall));
  if (sum == 0) return "No op has a duration.";
  if (sum == busy) return "Nothing overlaps: " + took + ".";
  if (const auto stretch = stretch_of(scope)) {
    sum -= stretch->numerator - stretch->denominator;
    const std::int64_t saved = std::max<std::int64_t>(0, sum - busy);
    return fmt::format(
        "{} Overlap saves {} of what the work takes one after the other: {} took {}.",
        shares_sentence(scope, *stretch), format_share(saved, sum), format_ns(sum),
        format_ns(wall));
  }
  return fmt::format("Overlap saves {} of the work's time: {}.{}", format_share(sum - busy, sum),
                     took,
                     is_stretch_unknown(scope)
                         ? " What kernels that ran beside each other take alone the trace does not "
                           "show: it may save less."
                         : "");
}

namespace {

// How close it is to what the busiest engine needs, behind what that is.
std::string bound_sentence(const ScopeResult& scope) {
  // Kernels may run side by side: that they run all the time is no bound.
  if (scope.causes->bound_by == name_of(analyzer::Engine::compute)) return "";
  const double wall = static_cast<double>(explained_ns(scope));
  const auto least = static_cast<std::int64_t>(scope.causes->bound_share * wall);
  if (least == 0) return "";
  return fmt::format(" No order of the work takes less than {} of the {}.", format_ns(least),
                     format_ns(explained_ns(scope)));
}

// What costs most. Requires a finding.
std::string finding_sentence(const ScopeResult& scope) {
  const auto& first = scope.causes->findings.front();
  const std::size_t count = scope.causes->findings.size();
  return fmt::format(
      "{}{}{} costs {} of {} ({:.1f} %){}.",
      count == 1 ? "" : fmt::format("{} findings; the largest: ", count), first.code,
      first.what.empty() ? "" : ", " + shortened(printable(first.what), most_in_headline) + ",",
      format_ns(first.saving_ns), format_ns(explained_ns(scope)), 100 * first.saving_share,
      range_clause(first.saving_ns + first.predicted.wall_ns, first.predicted));
}

// What most of the way from the first op to the last was, where that is more than the first finding
// would save and another thing. What an engine works is what most findings are about: that comes
// first where the finding is little.
std::string largest_sentence(const ScopeResult& scope) {
  const auto& causes = *scope.causes;
  if (causes.blame.empty() || scope.window.length() <= 0) return "";
  const analyzer::BlameRow& most = causes.blame.front();
  const bool works = most.kind == analyzer::BlameKind::work;
  if (causes.findings.empty()) {
    if (works) return "";
  } else {
    const auto& first = causes.findings.front();
    const bool is_little = first.saving_share < analyzer::assumed::little_alone;
    // Where its own fix saves most of it, the finding says it all.
    const bool is_told = first.code == most.code && 2 * first.saving_ns >= most.ns;
    if (is_told || first.saving_ns >= most.ns || (works && !is_little)) return "";
  }
  const std::string share = fmt::format(
      "{:.1f} %", 100 * static_cast<double>(most.ns) / static_cast<double>(explained_ns(scope)));
  if (works) return fmt::format("{} works {} of the time. ", word_of_code(most.code), share);
  const bool is_host_code = most.code == code_of(analyzer::Cause::host_compute);
  return fmt::format("{} takes {} of {} ({}). ",
                     is_host_code ? "Host code outside CUDA" : most.code, format_ns(most.ns),
                     format_ns(explained_ns(scope)), share);
}

std::string headline_of(const ScopeResult& scope) {
  const auto& causes = scope.causes;
  if (scope.left_out > 0) {
    return fmt::format("Inconclusive: {} {} with impossible times may belong here.", scope.left_out,
                       scope.left_out == 1 ? "op" : "ops");
  }
  if (!causes) return overlap_sentence(scope);
  const std::string known = causes->findings.empty() ? "" : " Found: " + finding_sentence(scope);
  if (!causes->has_evidence()) {
    return "Inconclusive: " + open_sentences(*causes).front() + known;
  }
  if (!causes->is_accounted()) {
    return fmt::format(
        "Inconclusive: {:.1f} % of the time is not explained, and the replay of the unchanged run "
        "is {:+.1f} % off.{}",
        100 * causes->unexplained_share, 100 * causes->replay.error, known);
  }
  const std::string largest = largest_sentence(scope);
  if (!causes->findings.empty()) return largest + finding_sentence(scope);
  const bool asks = !causes->questions.empty();
  if (!largest.empty()) {
    return largest + (asks ? "Nothing is shown to be in the way."
                           : "No change that lapscope knows of saves enough of it.");
  }
  const auto stretch = stretch_of(scope);
  if (stretch && causes->bound_by == name_of(analyzer::Engine::compute)) {
    return fmt::format("{} Nothing {}.", shares_sentence(scope, *stretch),
                       asks ? "is shown to be in the way" : "to put right");
  }
  return fmt::format("Nothing {}: {} is busy {:.1f} % of the time.{}",
                     asks ? "is shown to be in the way" : "to put right",
                     word_of_code(causes->bound_by), 100 * causes->bound_share,
                     bound_sentence(scope));
}

}  // namespace

std::string headline(const DeviceResult& device) { return headline_of(device.scope); }

std::string headline(const analyzer::RangeResult& range) { return headline_of(range.scope); }

std::string prediction_sentence(const analyzer::FindingResult& finding, const ScopeResult& scope) {
  const auto& predicted = finding.predicted;
  std::string text = "Predicted: " + format_ns(predicted.wall_ns);
  if (scope.causes) {
    text += " (" + words_of(validity_of(predicted, scope.causes->replay)) + ")";
  }
  text += " instead of " + format_ns(explained_ns(scope));
  if (scope.causes && std::abs(scope.causes->replay.error) > analyzer::assumed::noteworthy_replay) {
    text += fmt::format(" (which replays to {})", format_ns(scope.causes->replay.wall_ns));
  }
  const std::string range = range_clause(finding.saving_ns + predicted.wall_ns, predicted);
  if (!range.empty()) text += fmt::format(": saves {}{}", format_ns(finding.saving_ns), range);
  if (predicted.overlap_ratio) {
    text += fmt::format(", overlap ratio {:.3f}", *predicted.overlap_ratio);
  }
  text += ".";
  if (predicted.needs_judgement) {
    text += " The trace cannot show whether the data allows it.";
  }
  if (!predicted.caveat.empty()) text += " " + printable(predicted.caveat);
  return text;
}

namespace {

// What stands in brackets behind predictions.
std::string bracket_sentence(const std::set<analyzer::FixClass>& bands) {
  if (bands.empty()) {
    return "Not validated: no recorded pairs show by how much such predictions miss.";
  }
  std::string text = "In brackets: ";
  for (const analyzer::FixClass fixes : bands) text += accuracy_clause(fixes) + "; ";
  return text + held_clause() + ".";
}

}  // namespace

std::vector<std::string> trust_sentences(const Report& report) {
  std::vector<std::string> sentences;
  if (report.trust == analyzer::Trust::inconclusive) {
    sentences.emplace_back("Inconclusive: the trace is not complete enough to rely on.");
  } else if (report.health.empty()) {
    sentences.emplace_back("No defect of the recording is known.");
  } else {
    sentences.push_back(fmt::format("{} noted about the recording, above; the figures hold.",
                                    report.health.size() == 1
                                        ? std::string("One thing is")
                                        : fmt::format("{} things are", report.health.size())));
  }
  bool knows_causes = false;
  std::size_t most_findings = 0;
  std::set<analyzer::FixClass> bands;  // of what is predicted
  for (const DeviceResult& device : report.devices) {
    for (std::string& sentence : model_sentences(device)) sentences.push_back(std::move(sentence));
    const auto count = [&](const ScopeResult& scope) {
      if (!scope.causes) return;
      most_findings = std::max(most_findings, scope.causes->findings.size());
      for (const auto& finding : scope.causes->findings) {
        const auto validity = validity_of(finding.predicted, scope.causes->replay);
        if (validity.band) bands.insert(validity.band->fixes);
      }
    };
    count(device.scope);
    for (const auto& range : device.ranges) count(range.scope);
    knows_causes = knows_causes || judged_of(device).causes;
  }
  if (most_findings > 0) {
    sentences.push_back(bracket_sentence(bands));
  }
  if (most_findings > 1) sentences.emplace_back("Savings of several findings do not add up.");
  if (!knows_causes && !report.devices.empty()) {
    sentences.emplace_back(
        "What keeps work from overlapping, and from starting, was not looked for.");
  }
  return sentences;
}

std::vector<std::pair<std::string, std::int64_t>> causes_of(const analyzer::GapsResult& gaps) {
  std::vector<std::pair<std::string, std::int64_t>> causes;
  for (const auto& [code, ns] : times_of(gaps)) {
    const bool is_short = code == "short";
    causes.emplace_back(is_short ? fmt::format("{} short ones", gaps.short_count) : code, ns);
  }
  std::stable_sort(causes.begin(), causes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return causes;
}

std::string whatif_command(const analyzer::FindingResult& finding,
                           const analyzer::RangeResult* range) {
  // What is judged when nothing is named needs no option.
  std::string scope = range ? "" : " --whole";
  if (range && range->kind == analyzer::ScopeKind::profiler) scope = " --profiler-brackets";
  if (range && range->kind == analyzer::ScopeKind::nvtx) {
    scope = " --range '";
    for (const char c : printable(range->name)) scope += c == '\'' ? "'\\''" : std::string(1, c);
    scope += "'";
  }
  return "lapscope whatif" + scope + " --fix " + printable(fix_argument(finding));
}

std::vector<ShownFinding> shown_findings(const analyzer::Report& report) {
  std::vector<ShownFinding> shown;
  for (const analyzer::DeviceResult& device : report.devices) {
    const auto add = [&](const analyzer::ScopeResult& scope) {
      if (!scope.causes) return;
      for (const auto& finding : scope.causes->findings) shown.push_back({&device, &finding});
    };
    for (const analyzer::RangeResult& range : device.ranges) add(range.scope);
    add(device.scope);
  }
  return shown;
}

std::vector<analyzer::HealthRow> worst_first(std::vector<analyzer::HealthRow> health) {
  std::stable_sort(health.begin(), health.end(),
                   [](const auto& a, const auto& b) { return a.severity > b.severity; });
  return health;
}

}  // namespace lapscope::reports
