#include "reports/words/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "analyzer/analysis/verdict.h"
#include "analyzer/model/assumptions.h"
#include "reports/words/accuracy.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/recorder_words.h"

namespace lapscope::reports {

using analyzer::DeviceResult;
using analyzer::Ns;
using analyzer::Report;
using analyzer::ScopeResult;

const analyzer::Value* value_of(const ScopeResult& scope, std::string_view measure) {
  const auto found =
      std::find_if(scope.measures.begin(), scope.measures.end(),
                   [measure](const auto& result) { return result.measure->name == measure; });
  return found == scope.measures.end() ? nullptr : &found->value;
}

bool is_noteworthy(std::int64_t part, std::int64_t all) {
  return static_cast<double>(part) >= analyzer::assumed::noteworthy * static_cast<double>(all);
}

Ns ns_of(const ScopeResult& scope, std::string_view measure) {
  const analyzer::Value* value = value_of(scope, measure);
  const auto* ns = value ? std::get_if<analyzer::Nanoseconds>(value) : nullptr;
  return ns ? ns->count : 0;
}

namespace {

// Returns the factor by which kernels slow each other down. Empty if it is unknown or negligible.
std::optional<analyzer::Ratio> stretch_of(const ScopeResult& scope) {
  const analyzer::Value* value = value_of(scope, "stretch");
  const auto* ratio = value ? std::get_if<analyzer::Ratio>(value) : nullptr;
  if (!ratio || ratio->value() < 1 + analyzer::assumed::tolerance) return std::nullopt;
  return *ratio;
}

// Whether kernels ran concurrently and their slowdown is unknown.
bool is_stretch_unknown(const ScopeResult& scope) {
  const analyzer::Value* value = value_of(scope, "stretch");
  if (!value || !std::holds_alternative<analyzer::Undefined>(*value)) return false;
  const analyzer::Value* both = value_of(scope, "kernel_overlap");
  const auto* ratio = both ? std::get_if<analyzer::Ratio>(both) : nullptr;
  return ratio && ratio->numerator > 0;
}

// Returns the share of the wall time in which ops of the scope ran, and the share in which only
// other ops ran: "GPU busy 69 % of 22.87 ms, and 25 % more with other work only". Leaves out the
// wall time if wall_sentence() already names it.
std::string busy_clause(const ScopeResult& scope) {
  const Ns wall = ns_of(scope, "wall");
  std::string text = "GPU busy " + rough_share(ns_of(scope, "busy"), wall);
  if (wall_sentence(scope).empty()) text += " of " + format_ns(wall);
  const std::int64_t other = ns_of(scope, analyzer::other_work.name);
  if (is_noteworthy(other, wall)) {
    text += fmt::format(", and {} more with other work only", rough_share(other, wall));
  }
  return text;
}

}  // namespace

std::string overlap_sentence(const ScopeResult& scope) {
  Ns sum = ns_of(scope, "sum");
  const Ns busy = ns_of(scope, "busy");
  const std::string used = busy_clause(scope);
  if (sum == 0) return "No op has a duration.";
  if (sum == busy) return used + "; nothing overlaps.";
  std::string_view most = is_stretch_unknown(scope) ? "at most " : "";
  std::string shared;
  if (const auto stretch = stretch_of(scope)) {
    sum -= stretch->numerator - stretch->denominator;
    most = "";
    shared = fmt::format("; kernels share the multiprocessors and take {:.1f} × their time alone",
                         stretch->value());
  }
  const std::int64_t hidden = std::max<Ns>(0, sum - busy);
  return fmt::format("{}; overlap hides {}{} of the time that ops take{}.", used, most,
                     rough_share(hidden, sum), shared);
}

bool tells_savings(const analyzer::ReplayResult& replay) {
  return model_check_of(replay) != analyzer::ModelCheck::useless;
}

bool tells_savings(const ScopeResult& scope) {
  return scope.causes && tells_savings(scope.causes->replay);
}

std::string saving_at(const analyzer::CallSite& site, const ScopeResult& scope) {
  return site.saving_ns && tells_savings(scope) ? format_ns(*site.saving_ns) : "";
}

std::string saving_sentence(const analyzer::FindingResult& finding, const ScopeResult& scope) {
  const auto& predicted = finding.predicted;
  const bool is_limit = predicted.validity.certainty == analyzer::Certainty::upper_bound;
  if (!tells_savings(scope)) {
    return "The saving of its fix is unknown: the model check is off by " +
           format_change(scope.causes->replay.blind_error, 0);
  }
  std::string text =
      fmt::format("Saves {}{} ({})", is_limit ? "at most " : "", format_ns(finding.saving_ns),
                  format_share(finding.saving_ns, modelled_ns(scope)));
  if (!finding.then_also.empty()) text += fmt::format(" together with {}", finding.then_also);
  text += range_clause(finding.saving_ns + predicted.wall_ns, predicted);
  text += fmt::format(": predicted {}", format_ns(predicted.wall_ns));
  if (scope.causes) {
    text += " (" + words_of(predicted.validity) + ")";
  }
  return text;
}

std::string prediction_sentence(const analyzer::FindingResult& finding, const ScopeResult& scope) {
  const auto& predicted = finding.predicted;
  if (!tells_savings(scope)) return saving_sentence(finding, scope) + ".";
  std::string text = saving_sentence(finding, scope) + " of " + format_ns(modelled_ns(scope));
  if (predicted.overlap_ratio) {
    text += fmt::format(", overlap ratio {:.2f}", *predicted.overlap_ratio);
  }
  text += ".";
  if (predicted.needs_judgement)
    text += " Check that the data allows this, because the trace cannot show whether it does.";
  if (const auto caveat = caveat_of(finding); !caveat.empty()) text += fmt::format(" {}", caveat);
  return text;
}

std::string waited_words(const analyzer::FindingResult& finding) {
  return fmt::format(
      "{} op{} waited {}{}", finding.occurrences, finding.occurrences == 1 ? "" : "s",
      format_ns(finding.waited_ns),
      finding.saving_ns > finding.waited_ns ? "; what comes after could start earlier, too" : "");
}

namespace {

// Explains what the range of a prediction means, and states the errors of the predictions for
// similar programs.
std::string bracket_sentence(const std::map<std::string, analyzer::ErrorBand>& bands) {
  if (bands.empty()) {
    return "No recorded programs show how far these predictions are off.";
  }
  std::string text = "Range: nine of ten programs that the model was not made with";
  for (const auto& [kind, band] : bands) text += "; " + accuracy_clause(band);
  return text + "; " + held_clause(bands.begin()->second) + ".";
}

// Returns the options of whatif_command() that select the scope: " --range 'step *'". The text
// begins with a space, or is empty.
std::string scope_arguments(const Report& report, const analyzer::RangeResult* range) {
  if (range && range->kind == analyzer::ScopeKind::profiler) return " --profiler-brackets";
  if (range && range->kind == analyzer::ScopeKind::nvtx) {
    return " --range " + shell_word(printable(range->name));
  }
  // The default scope needs no option.
  if (range) return "";
  if (!report.window) return " --whole";
  const auto at = [&report](Ns ns) {
    return fmt::format("{}", static_cast<double>(ns - report.first_op) / 1e6);
  };
  return " --window " + at(report.window->start) + " " + at(report.window->end);
}

}  // namespace

std::vector<std::string> trust_sentences(const Report& report) {
  std::vector<std::string> sentences;
  if (report.trust == analyzer::Trust::inconclusive) {
    sentences.emplace_back("Inconclusive: the recording is incomplete.");
  } else if (report.health.empty()) {
    sentences.emplace_back("Recording complete.");
  } else {
    sentences.push_back(fmt::format("Recording usable, with {} note{}.", report.health.size(),
                                    report.health.size() == 1 ? "" : "s"));
  }
  bool knows_causes = false;
  bool lacks_records = false;
  std::size_t most_findings = 0;
  std::map<std::string, analyzer::ErrorBand> bands;  // by kind_of(); any band of each kind
  for (const DeviceResult& device : report.devices) {
    for (std::string& sentence : model_sentences(device)) sentences.push_back(std::move(sentence));
    const auto count = [&](const ScopeResult& scope) {
      if (!scope.causes) return;
      most_findings = std::max(most_findings, scope.causes->findings.size());
      for (const auto& finding : scope.causes->findings) {
        const auto& band = finding.predicted.validity.band;
        if (band) bands.try_emplace(kind_of(band->like), *band);
      }
    };
    count(device.scope);
    for (const auto& range : device.ranges) count(range.scope);
    knows_causes = knows_causes || judged_of(device).causes;
    lacks_records |= judged_of(device).causes && !judged_of(device).causes->has_evidence();
  }
  if (lacks_records && !report.trace.knows.every_kind) {
    sentences.emplace_back("`lapscope record` records what is missing.");
  }
  if (most_findings > 0) {
    sentences.push_back(bracket_sentence(bands));
  }
  if (most_findings > 1) sentences.emplace_back("Savings of several findings do not add up.");
  if (!knows_causes && !report.devices.empty()) {
    sentences.emplace_back("Causes were not analyzed (--no-causes).");
  }
  return sentences;
}

std::vector<std::pair<std::string, Ns>> causes_of(const analyzer::GapsResult& gaps) {
  std::vector<std::pair<std::string, Ns>> causes;
  for (const auto& [code, ns] : times_of(gaps)) causes.emplace_back(code, ns);
  std::stable_sort(causes.begin(), causes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return causes;
}

std::string whatif_command(const Report& report, const analyzer::FindingResult& finding,
                           const analyzer::RangeResult* range) {
  std::string text = "lapscope whatif " + shell_word(printable(report.trace.file)) +
                     scope_arguments(report, range) + " --fix " + std::string(finding.code);
  if (!finding.then_also.empty()) text += " --fix " + std::string(finding.then_also);
  return text;
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

}  // namespace lapscope::reports
