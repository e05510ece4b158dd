#include "reports/words/recorder_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "reports/words/activity_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {

using analyzer::Ns;
using analyzer::ScopeResult;

std::string estimate_of(double added) {
  return fmt::format("recording adds about {:.0f} %, by call costs of other machines", 100 * added);
}

namespace {

constexpr std::string_view iterations_before = "iterations before the capture";

// Returns the source of the call costs that the correction subtracted.
std::string source_of(const analyzer::Correction& correction) {
  constexpr std::size_t day = 10;  // of an ISO 8601 instant
  std::string source = correction.calibrated.empty()
                           ? "by call costs of other machines"
                           : "calibrated " + correction.calibrated.substr(0, day);
  if (correction.factor) {
    source += fmt::format(", × {:.2f} to fit the {}", *correction.factor,
                          correction.iterations_error ? iterations_before : "bare runs");
  }
  return source;
}

std::string estimate_sentences(double added) {
  std::string text = estimate_of(added);
  text.front() = 'R';
  return fmt::format("{}. {}", text, how_to_know);
}

std::string sample_sentences(const analyzer::Sample& sample) {
  std::string text = fmt::format(
      "Causes and predictions come from a sample, {} of {} ops in {} {}, in proportion; --sample "
      "0 takes all.",
      sample.ops, sample.of_ops, sample.intervals,
      sample.intervals == 1 ? "interval" : "intervals");
  if (!sample.is_like_the_whole()) {
    text += fmt::format(
        " They are inconclusive: in the sample the idle part of the time differs by {}, and the "
        "time for an op by {}.",
        format_change(sample.idle_difference), format_change(sample.pace_difference));
  }
  return text;
}

std::string host_sentence(const analyzer::Correction& correction, const analyzer::BareWall& bare) {
  std::string text = fmt::format(
      "The host took {} for it as recorded, {} without the recorder's own time; bare {} (median of "
      "{}, {} to {}",
      format_ns(*correction.host_recorded_ns), format_ns(*correction.host_corrected_ns),
      format_ns(bare.median_ns), bare.runs, format_ns(bare.least_ns), format_ns(bare.most_ns));
  if (correction.bare_error) text += "; " + format_change(*correction.bare_error) + " off";
  text += ")";
  if (!bare.ended_synchronized) text += "; the GPU still works then";
  return text + ".";
}

// Joins sentences with spaces. Skips empty ones.
std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& one : sentences) {
    if (!one.empty()) text += (text.empty() ? "" : " ") + one;
  }
  return text;
}

std::string recorder_sentences(const ScopeResult& scope, const analyzer::BareWall* bare) {
  const analyzer::CausesResult& causes = *scope.causes;
  std::vector<std::string> sentences = {wall_sentence(scope)};
  if (!causes.correction) {
    if (causes.estimated_added) sentences.push_back(estimate_sentences(*causes.estimated_added));
    return joined(sentences);
  }
  const analyzer::Correction& correction = *causes.correction;
  sentences.push_back(fmt::format("The recorder's own time: {}.", source_of(correction)));
  if (correction.iterations_error) {
    sentences.push_back(fmt::format("Without it, recorded iterations are {} off the {}.",
                                    format_change(*correction.iterations_error),
                                    iterations_before));
  }
  const bool is_compared = bare && bare->reason.empty() && correction.host_corrected_ns;
  if (is_compared) sentences.push_back(host_sentence(correction, *bare));
  if (!correction.first_recorded.empty()) {
    sentences.push_back(fmt::format("The largest cause as recorded is {}, without the recorder {}.",
                                    word_of_code(correction.first_recorded),
                                    word_of_code(correction.first_corrected)));
  }
  if (bare && !is_compared) sentences.push_back(bare_sentences(*bare));
  return joined(sentences);
}

}  // namespace

namespace {

// Whether two times look equal when printed, apart from the last digit.
bool reads_the_same(std::int64_t a, std::int64_t b) {
  std::int64_t digit = 10;
  for (Ns least = 1'000'000; least <= std::max(a, b); least *= 1000) digit *= 1000;
  return std::abs(a - b) <= digit;
}

}  // namespace

std::string wall_sentence(const ScopeResult& scope) {
  if (!scope.causes) return "";
  const Ns modelled = modelled_ns(scope);
  const Ns recorded = scope.window.length();
  if (!scope.causes->correction) return wall_sentence(modelled, recorded, "recorded");
  if (reads_the_same(modelled, recorded)) return "";
  return fmt::format("Savings refer to {}: recorded {} less the recorder's own time.",
                     format_ns(modelled), format_ns(recorded));
}

std::string wall_sentence(Ns replayed, Ns wall, std::string_view kind) {
  if (reads_the_same(replayed, wall)) return "";
  return fmt::format("Savings refer to {}, to which the model replays the {} {}.",
                     format_ns(replayed), kind, format_ns(wall));
}

std::vector<std::string> screen_basis(const ScopeResult& scope) {
  if (!scope.causes) return {};
  const analyzer::CausesResult& causes = *scope.causes;
  std::vector<std::string> texts;
  if (const std::string wall = wall_sentence(scope); !wall.empty()) texts.push_back(wall);
  if (causes.sample) texts.push_back(sample_sentences(*causes.sample));
  if (!causes.correction && causes.estimated_added) {
    texts.push_back(estimate_sentences(*causes.estimated_added));
  }
  return texts;
}

std::string basis_sentences(const ScopeResult& scope, const analyzer::BareWall* bare) {
  if (!scope.causes) return "";
  return joined({scope.causes->sample ? sample_sentences(*scope.causes->sample) : "",
                 recorder_sentences(scope, bare)});
}

std::string recorder_decides(const analyzer::CausesResult& causes) {
  if (causes.estimated_added) {
    return estimate_of(*causes.estimated_added) +
           ", and the answer depends on it. Record with --bare 3.";
  }
  if (causes.correction && !causes.correction->bare_error && causes.correction->iterations_error) {
    return fmt::format(
        "without the recorder's own time, recorded iterations are {} off the {}, and the answer "
        "depends on it. Record with --bare 3.",
        format_change(*causes.correction->iterations_error), iterations_before);
  }
  if (causes.correction && causes.correction->bare_error) {
    return fmt::format(
        "without the recorder's own time it is {} off the bare runs, and the answer depends "
        "on it. Calibrate again (`lapscope doctor --calibrate`), and record again.",
        format_change(*causes.correction->bare_error));
  }
  return "the answer depends on what recording adds. Record with --bare 3.";
}

std::string bare_sentences(const analyzer::BareWall& bare) {
  if (!bare.reason.empty()) return fmt::format("Bare n/a: {}.", bare.reason);
  const double more = static_cast<double>(bare.recorded_ns - bare.median_ns) /
                      static_cast<double>(std::max<std::int64_t>(bare.median_ns, 1));
  std::string text = fmt::format(
      "Recorded {}, bare {} (median of {}, {} to {}): recording {} {:.0f} %.",
      format_ns(bare.recorded_ns), format_ns(bare.median_ns), bare.runs, format_ns(bare.least_ns),
      format_ns(bare.most_ns), more < 0 ? "takes off" : "adds", std::abs(more) * 100);
  if (!bare.ended_synchronized) {
    text += " The range ends before its GPU work does: this is host time alone.";
  }
  return text;
}

}  // namespace lapscope::reports
