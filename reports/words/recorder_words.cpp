#include "reports/words/recorder_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/words/activity_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {

using analyzer::ScopeResult;

std::string estimate_of(double added) {
  return fmt::format("recording adds about {:.0f} %, by call costs of other machines", 100 * added);
}

namespace {

// Which costs were taken off.
std::string source_of(const analyzer::Correction& correction) {
  constexpr std::size_t day = 10;  // of an ISO 8601 instant
  std::string source = correction.calibrated.empty()
                           ? "by call costs of other machines"
                           : "calibrated " + correction.calibrated.substr(0, day);
  if (correction.factor)
    source += fmt::format(", × {:.2f} to fit the bare runs", *correction.factor);
  return source;
}

std::string sample_sentences(const analyzer::Sample& sample) {
  std::string text = fmt::format(
      "Causes and predictions are those of a sample, {} of {} ops in {} {}, in proportion; "
      "--sample 0 takes all.",
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

std::string recorder_sentences(const ScopeResult& scope, const analyzer::BareWall* bare) {
  const analyzer::CausesResult& causes = *scope.causes;
  if (!causes.correction) {
    if (!causes.estimated_added) return "";
    std::string text = estimate_of(*causes.estimated_added);
    text.front() = 'R';
    return fmt::format("{}. {}", text, how_to_know);
  }
  const analyzer::Correction& correction = *causes.correction;
  const bool is_compared = bare && bare->reason.empty() && correction.host_corrected_ns;
  std::string text =
      fmt::format("Recorded {}; without the recorder's own time {} ({})",
                  format_ns(is_compared ? *correction.host_recorded_ns : correction.recorded_ns),
                  format_ns(is_compared ? *correction.host_corrected_ns : correction.corrected_ns),
                  source_of(correction));
  if (is_compared) {
    text += fmt::format("; bare {} (median of {}, {} to {}", format_ns(bare->median_ns), bare->runs,
                        format_ns(bare->least_ns), format_ns(bare->most_ns));
    if (correction.bare_error) text += "; " + format_change(*correction.bare_error) + " off";
    text += ")";
    if (!bare->ended_synchronized) text += " of host time; the GPU still works then";
  }
  text += ". Causes and predictions are of the latter, measures of the recorded run.";
  if (!correction.first_recorded.empty()) {
    text += fmt::format(" The largest cause as recorded is {}, without the recorder {}.",
                        word_of_code(correction.first_recorded),
                        word_of_code(correction.first_corrected));
  }
  if (bare && !is_compared) text += " " + bare_sentences(*bare);
  return text;
}

}  // namespace

std::string basis_sentences(const ScopeResult& scope, const analyzer::BareWall* bare) {
  if (!scope.causes) return "";
  std::string text = recorder_sentences(scope, bare);
  if (!scope.causes->sample) return text;
  const std::string sample = sample_sentences(*scope.causes->sample);
  return text.empty() ? sample : sample + " " + text;
}

std::string recorder_decides(const analyzer::CausesResult& causes) {
  if (causes.estimated_added) {
    return estimate_of(*causes.estimated_added) +
           ", and the answer depends on it. Record with --bare 3.";
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
