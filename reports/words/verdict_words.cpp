#include "reports/words/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "analyzer/analysis/verdict.h"
#include "analyzer/model/assumptions.h"
#include "reports/words/accuracy.h"
#include "reports/words/activity_words.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/recorder_words.h"

namespace lapscope::reports {

using analyzer::DeviceResult;
using analyzer::Ns;
using analyzer::Report;
using analyzer::ScopeResult;
using analyzer::Share;

const analyzer::Value* value_of(const ScopeResult& scope, std::string_view measure) {
  const auto found =
      std::find_if(scope.measures.begin(), scope.measures.end(),
                   [measure](const auto& result) { return result.measure->name == measure; });
  return found == scope.measures.end() ? nullptr : &found->value;
}

Ns ns_of(const ScopeResult& scope, std::string_view measure) {
  const analyzer::Value* value = value_of(scope, measure);
  const auto* ns = value ? std::get_if<analyzer::Nanoseconds>(value) : nullptr;
  return ns ? ns->count : 0;
}

namespace {

// How many times as long as alone kernels take, where they are known to slow each other down.
std::optional<analyzer::Ratio> stretch_of(const ScopeResult& scope) {
  const analyzer::Value* value = value_of(scope, "stretch");
  const auto* ratio = value ? std::get_if<analyzer::Ratio>(value) : nullptr;
  if (!ratio || ratio->value() < 1 + analyzer::assumed::tolerance) return std::nullopt;
  return *ratio;
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
  Ns sum = ns_of(scope, "sum");
  const Ns busy = ns_of(scope, "busy");
  const Ns wall = ns_of(scope, "wall");
  const std::string used = fmt::format("GPU busy {} of {}; ", format_ns(busy), format_ns(wall));
  if (sum == 0) return "No op has a duration.";
  if (sum == busy) return used + "nothing overlaps.";
  if (const auto stretch = stretch_of(scope)) {
    sum -= stretch->numerator - stretch->denominator;
    const Ns saved = std::max<Ns>(0, sum - busy);
    return fmt::format(
        "{}overlap hides {}; kernels share the multiprocessors and take {:.1f} × their time alone.",
        used, format_ns(saved), stretch->value());
  }
  return fmt::format("{}overlap hides {}{}.", used, is_stretch_unknown(scope) ? "at most " : "",
                     format_ns(sum - busy));
}

namespace {

// Two digits; what is nearly all of it is not all of it.
std::string rough(Share share) {
  const double percent = 100 * share;
  const bool is_nearly_all = 99 <= percent && percent < 100;
  return format_percent(share, percent < 9.95 || is_nearly_all ? 1 : 0);
}

// The busiest engine, and how close the scope is to what that needs.
std::string bound_clause(const ScopeResult& scope) {
  const auto& causes = *scope.causes;
  std::string text =
      fmt::format("{} busy {}", word_of_code(causes.bound_by), rough(causes.bound_share));
  // Kernels may run side by side: that they run all the time is no bound.
  if (causes.bound_by == name_of(analyzer::Engine::compute)) {
    const auto stretch = stretch_of(scope);
    if (stretch) text += fmt::format(", kernels take {:.1f} × their time alone", stretch->value());
    return text;
  }
  const double wall = static_cast<double>(explained_ns(scope));
  const auto least = static_cast<std::int64_t>(causes.bound_share * wall);
  if (least == 0) return text;
  return fmt::format("{}, so no less than {} of {}", text, format_ns(least),
                     format_ns(explained_ns(scope)));
}

// The wait that most of the critical path is, where no finding is about most of it.
const analyzer::BlameRow* largest_wait(const ScopeResult& scope) {
  const auto& causes = *scope.causes;
  if (causes.blame.empty() || scope.window.length() <= 0) return nullptr;
  const analyzer::BlameRow& most = causes.blame.front();
  if (most.kind == analyzer::BlameKind::work) return nullptr;
  if (causes.findings.empty()) return &most;
  const auto& first = causes.findings.front();
  // Where its own fix saves most of it, the finding says it all.
  const bool is_shown = first.code == most.code && 2 * first.saving_ns >= most.ns;
  return is_shown || first.saving_ns >= most.ns ? nullptr : &most;
}

// The largest cause: one number for each.
std::string cause_clause(const ScopeResult& scope) {
  const auto& causes = *scope.causes;
  const analyzer::BlameRow* wait = largest_wait(scope);
  const std::string waited =
      wait == nullptr
          ? ""
          : rough(static_cast<double>(wait->ns) / static_cast<double>(explained_ns(scope)));
  if (!causes.findings.empty()) {
    const auto& first = causes.findings.front();
    const std::string saved = rough(first.saving_share);
    if (wait == nullptr) return fmt::format("{} {}", first.code, saved);
    if (wait->code == first.code) {
      return fmt::format("{} {}, of which a fix saves {}", first.code, waited, saved);
    }
    return fmt::format("{} {}; first finding: {} {}", wait->code, waited, first.code, saved);
  }
  if (const analyzer::Advice* step = main_step(causes)) {
    return fmt::format("{}: see the advice; {}", code_of(step->step()), bound_clause(scope));
  }
  if (wait != nullptr) {
    return fmt::format(
        "{} {}, {}", wait->code, waited,
        causes.questions.empty() ? "with no fix known" : "with no fix that the trace proves");
  }
  // No trace shows whether data that goes back and forth is the same, which kernels depend on each
  // other, or whether a graph can be made of them.
  const bool asks = !causes.questions.empty() ||
                    std::any_of(causes.advice.begin(), causes.advice.end(), [](const auto& one) {
                      using analyzer::AdviceStep;
                      const AdviceStep step = one.step();
                      return step == AdviceStep::resident || step == AdviceStep::few_blocks ||
                             step == AdviceStep::graph;
                    });
  return (asks ? "no fix that the trace proves: " : "nothing to fix: ") + bound_clause(scope);
}

std::string headline_of(const ScopeResult& scope) {
  const Ns wall = ns_of(scope, "wall");
  std::string text =
      "GPU busy " +
      rough(wall > 0 ? static_cast<double>(ns_of(scope, "busy")) / static_cast<double>(wall) : 0);
  const auto& causes = scope.causes;
  if (scope.impossible_ops > 0) {
    return fmt::format("Inconclusive: {} {} with impossible times may belong here.",
                       scope.impossible_ops, scope.impossible_ops == 1 ? "op" : "ops");
  }
  if (!causes) return text + "; causes were not analyzed.";
  text += "; ";
  if (!causes->is_conclusive()) {
    text += "inconclusive: ";
    if (!causes->has_evidence()) {
      text += open_sentences(*causes).front();
      text.pop_back();
    } else if (causes->unexplained_share > analyzer::assumed::most_unaccounted) {
      text += fmt::format("no cause explains {} of the time", rough(causes->unexplained_share));
    } else if (!causes->is_accounted()) {
      text +=
          "the replay of the unchanged run is " + format_change(causes->replay.error, 0) + " off";
    } else {
      text += "the sample that causes are of differs from the whole";
    }
    return text + (causes->findings.empty() ? "." : "; found: " + cause_clause(scope) + ".");
  }
  return text + cause_clause(scope) + ".";
}

}  // namespace

std::string headline(const DeviceResult& device) { return headline_of(device.scope); }

std::string headline(const analyzer::RangeResult& range) { return headline_of(range.scope); }

std::string saving_sentence(const analyzer::FindingResult& finding, const ScopeResult& scope) {
  const auto& predicted = finding.predicted;
  const bool is_limit = predicted.validity.certainty == analyzer::Certainty::upper_bound;
  std::string text =
      fmt::format("Saves {}{} ({})", is_limit ? "at most " : "", format_ns(finding.saving_ns),
                  format_percent(finding.saving_share));
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
  std::string text = saving_sentence(finding, scope) + " of " + format_ns(explained_ns(scope));
  if (scope.causes && std::abs(scope.causes->replay.error) > analyzer::assumed::noteworthy) {
    text += fmt::format(" (which replays to {})", format_ns(scope.causes->replay.wall_ns));
  }
  if (predicted.overlap_ratio) {
    text += fmt::format(", overlap ratio {:.2f}", *predicted.overlap_ratio);
  }
  text += ".";
  if (predicted.needs_judgement)
    text += " Check that the data allows it: the trace cannot show it.";
  if (const auto caveat = caveat_of(finding); !caveat.empty()) text += fmt::format(" {}", caveat);
  return text;
}

namespace {

// What the range behind a prediction is.
std::string bracket_sentence(const std::map<std::string, analyzer::ErrorBand>& bands) {
  if (bands.empty()) {
    return "No recorded programs show by how much such predictions miss.";
  }
  std::string text = "Range: nine of ten programs that the model was not made with";
  for (const auto& [kind, band] : bands) text += "; " + accuracy_clause(band);
  return text + "; " + held_clause(bands.begin()->second) + ".";
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
  std::map<std::string, analyzer::ErrorBand> bands;  // by kind_of, of what is predicted, any
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
  for (const auto& [code, ns] : times_of(gaps)) {
    const bool is_short = code == "short";
    causes.emplace_back(is_short ? fmt::format("{} short ones", gaps.short_count) : code, ns);
  }
  std::stable_sort(causes.begin(), causes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return causes;
}

std::string scope_arguments(const Report& report, const analyzer::RangeResult* range) {
  if (range && range->kind == analyzer::ScopeKind::profiler) return " --profiler-brackets";
  if (range && range->kind == analyzer::ScopeKind::nvtx) {
    return " --range " + shell_word(printable(range->name));
  }
  // What is evaluated when nothing is named needs no option.
  if (range) return "";
  if (!report.window) return " --whole";
  const auto at = [&report](Ns ns) {
    return fmt::format("{}", static_cast<double>(ns - report.first_op) / 1e6);
  };
  return " --window " + at(report.window->start) + " " + at(report.window->end);
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
