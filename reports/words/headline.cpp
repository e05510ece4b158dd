
#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/evidence.h"
#include "reports/words/accuracy.h"
#include "reports/words/activity_words.h"
#include "reports/words/filled.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {

using analyzer::DeviceResult;
using analyzer::Headline;
using analyzer::Ns;
using analyzer::ScopeResult;

namespace {

// The saving of a fix, and its certainty.
std::string figure_of(const Headline& headline) {
  const analyzer::Prediction& predicted = headline.finding->predicted;
  const std::string least = rough(headline.share);
  const std::string most = rough(headline.most_share);
  const bool is_range = predicted.is_open && least != most;
  const std::string both = is_range ? least.substr(0, least.find(' ')) + " to " + most : least;
  // A saving that comes from unexplained delays is always shown with both ends of its range.
  const bool is_of_delays = predicted.doubt == analyzer::Doubt::unexplained;
  switch (predicted.validity.certainty) {
    case analyzer::Certainty::upper_bound:
      if (is_of_delays) return "At most " + both;
      return "At most " + rough(std::max(headline.share, headline.most_share));
    case analyzer::Certainty::measured:
      break;
    case analyzer::Certainty::unknown:
      if (predicted.validity.band) return "Perhaps " + (is_of_delays ? both : least);
  }
  return both;
}

// Returns the condition under which a question would be a finding.
std::string condition_of_question(const analyzer::FindingResult& question) {
  std::string text;
  if (question.if_independent) text = "its ops are independent";
  if (question.if_apart || question.if_shared) {
    if (!text.empty()) text += " and ";
    text += condition_of(question.if_apart ? analyzer::Sharing::least : analyzer::Sharing::most,
                         question.predicted.doubt);
  }
  return text;
}

// States how many causes are unknown, and why: "3 causes are not checked, because the trace has no
// records of CUDA_EVENT".
std::string unchecked_clause(const analyzer::CausesResult& causes) {
  std::size_t codes = 0;
  std::vector<std::string_view> records;
  bool is_of_recorder = false;
  for (const analyzer::OpenQuestion& question : causes.open_questions()) {
    codes += question.codes.size();
    for (const std::string_view kind : question.missing) {
      if (kind == analyzer::bare_runs) {
        is_of_recorder = true;
      } else if (std::find(records.begin(), records.end(), kind) == records.end()) {
        records.push_back(kind);
      }
    }
  }
  const std::string which = codes == 1 ? "one cause" : fmt::format("{} causes", codes);
  if (records.empty() && is_of_recorder) {
    return fmt::format("what recording adds decides whether {} cost{} time", which,
                       codes == 1 ? "s" : "");
  }
  return fmt::format("{} {} not checked, because the trace has no records of {}", which,
                     codes == 1 ? "is" : "are", list_of(records));
}

// Returns the beginning of an inconclusive verdict: how busy the busiest engine is.
std::string busy_clause(const analyzer::CausesResult& causes) {
  if (causes.bound_by.empty()) return "";
  const std::string_view who = word_of_code(causes.bound_by);
  return fmt::format("{} {} busy {} of the time; ", who, who.ends_with("copies") ? "are" : "is",
                     rough(causes.bound_share));
}

// Returns whether there is advice with a possibly large saving that the trace cannot prove. For
// example, a trace does not show whether two copies transfer the same data.
bool has_unproven_advice(const analyzer::CausesResult& causes) {
  return std::any_of(causes.advice.begin(), causes.advice.end(), [](const auto& one) {
    using analyzer::AdviceStep;
    const AdviceStep step = one.step();
    switch (step) {
      case AdviceStep::resident:
      case AdviceStep::few_blocks:
      case AdviceStep::graph:
      case AdviceStep::pin:
      case AdviceStep::small_copies:
      case AdviceStep::communication:
      case AdviceStep::chunk:
      case AdviceStep::queues:
      case AdviceStep::host_pages:
        return true;
      default:
        return false;
    }
  });
}

std::string_view copies_of(analyzer::Engine engine) {
  return engine == analyzer::Engine::h2d   ? "Copies to the device"
         : engine == analyzer::Engine::d2h ? "Copies to the host"
                                           : "Copies between devices";
}

// What a piece of advice is about, for the headline; empty if the code of the advice is sufficient.
std::string clause_of_step(const analyzer::Advice& step) {
  if (const auto* slow = std::get_if<analyzer::SlowCopies>(&step.seen)) {
    return fmt::format("{} go at {:.1f} of {:.1f} GB/s for {} of the time{}",
                       copies_of(slow->engine), slow->rate, slow->link, rough(slow->share),
                       slow->is_of_rows ? ", by " + slow->function : "");
  }
  if (const auto* pageable = std::get_if<analyzer::PageableCopies>(&step.seen)) {
    return fmt::format("Copies of pageable memory take {} of the time", rough(pageable->share));
  }
  return "";
}

// States why the model is not reliable enough for a conclusion.
std::string unaccounted_clause(const analyzer::CausesResult& causes) {
  if (causes.unexplained_share > analyzer::assumed::most_unaccounted) {
    return fmt::format("no cause explains {} of the time", rough(causes.unexplained_share));
  }
  return fmt::format("the replay of the unchanged run is {} off",
                     format_change(causes.replay.error, 0));
}

// Returns a clause about the fix for a wait, if no finding is about this wait: " with no known
// fix", for example. Empty if a fix is known but the model is not accurate enough.
std::string_view no_fix_clause(const ScopeResult& scope, std::string_view code) {
  const auto cause = analyzer::cause_of_code(code);
  if (!cause || analyzer::fix_for(*cause) == nullptr) return " with no known fix";
  return tells_savings(scope) ? " that no fix shortens enough" : "";
}

std::string verdict_sentence(const ScopeResult& scope) {
  const Headline headline = analyzer::headline_of(scope);
  using About = Headline::About;
  switch (headline.about) {
    case About::impossible_ops:
      return fmt::format("Inconclusive: {} {} with impossible times may belong here.",
                         scope.impossible_ops, scope.impossible_ops == 1 ? "op" : "ops");
    case About::not_analyzed: {
      const Ns wall = ns_of(scope, "wall");
      return fmt::format("The GPU is busy {} of the time; causes were not analyzed.",
                         rough_share(ns_of(scope, "busy"), wall));
    }
    case About::unchecked:
      return fmt::format("Inconclusive: {}{}.", busy_clause(*scope.causes),
                         unchecked_clause(*scope.causes));
    case About::unaccounted:
      return fmt::format("Inconclusive: {}.", unaccounted_clause(*scope.causes));
    case About::unlike:
      return "Inconclusive: the sample in which lapscope searched for causes differs from the "
             "whole.";
    case About::saving:
      return fmt::format(
          "{} of the time could be saved: {}{}.", figure_of(headline), clause_of(*headline.finding),
          scope.causes->has_evidence() ? "" : " (inconclusive: records are missing)");
    case About::finding:
      return fmt::format(
          "The saving of a fix is unknown, because the model check is {} off; found: {}.",
          format_change(scope.causes->replay.blind_error, 0), clause_of(*headline.finding));
    case About::question:
      return fmt::format(
          "Up to {} of the time could be saved if {}, which the trace does not show: {}.",
          rough(headline.most_share), condition_of_question(*headline.finding),
          clause_of(*headline.finding));
    case About::wait:
      return fmt::format("{} of the time goes into a wait{}: {}.", rough(headline.share),
                         no_fix_clause(scope, headline.wait->code), clause_of(headline.wait->code));
    case About::advice: {
      const std::string_view step = code_of(headline.step->step());
      const std::string_view open =
          scope.causes->has_evidence() ? "" : " (inconclusive: records are missing)";
      if (const std::string about = clause_of_step(*headline.step); !about.empty()) {
        return fmt::format("{}: the advice {} comes first{}.", about, step, open);
      }
      return fmt::format("The advice {} comes first: {} is busy {} of the time{}.", step,
                         word_of_code(scope.causes->bound_by), rough(headline.share), open);
    }
    case About::communication:
      if (headline.waiting > analyzer::assumed::majority * headline.share) {
        return fmt::format(
            "For about {} of the time communication waits for another rank, or for room, and "
            "nothing "
            "computes.",
            rough(headline.waiting));
      }
      return fmt::format(
          "For {} of the time communication runs and nothing computes: it transfers data, or "
          "waits for another rank.",
          rough(headline.share));
    case About::bound:
    case About::busy:
      break;
  }
  const bool is_bound = headline.about == About::bound && !scope.causes->bound_by.empty();
  const std::string_view who = is_bound ? word_of_code(scope.causes->bound_by) : "the GPU";
  return fmt::format(
      "{}: {} {} busy {} of the time.",
      has_unproven_advice(*scope.causes) ? "No fix that the trace proves" : "Nothing to fix", who,
      who.ends_with("copies") ? "are" : "is", rough(headline.share));
}

}  // namespace

std::string short_verdict(const ScopeResult& scope) {
  const analyzer::Verdict verdict = verdict_of(scope);
  const std::string name(name_of(verdict));
  const Headline headline = analyzer::headline_of(scope);
  switch (headline.about) {
    case Headline::About::saving:
      return fmt::format("{} {}", headline.finding->code, format_percent(headline.share));
    case Headline::About::finding:
      return std::string(headline.finding->code);
    case Headline::About::question:
      return fmt::format("possible: {} {}", headline.finding->code,
                         format_percent(headline.most_share));
    case Headline::About::wait:
      return fmt::format("{} {}", headline.wait->code, format_percent(headline.share));
    case Headline::About::communication:
      return fmt::format("{}: communication {}", name, format_percent(headline.share));
    case Headline::About::bound:
      return fmt::format("{}, {} busy {}", name, word_of_code(scope.causes->bound_by),
                         format_percent(headline.share));
    default:
      return name;
  }
}

std::string headline(const DeviceResult& device) { return verdict_sentence(device.scope); }

std::string headline(const analyzer::RangeResult& range) { return verdict_sentence(range.scope); }

}  // namespace lapscope::reports
