#include "reports/words/recorder_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/words/format.h"
#include "reports/words/names.h"

namespace lapscope::reports {

using analyzer::ScopeResult;

std::int64_t explained_ns(const ScopeResult& scope) {
  if (scope.causes && scope.causes->correction) return scope.causes->correction->corrected_ns;
  return scope.window.length();
}

std::string correction_sentences(const ScopeResult& scope, const analyzer::BareWall* bare) {
  if (!scope.causes || !scope.causes->correction) return "";
  const analyzer::Correction& correction = *scope.causes->correction;
  const bool is_compared = bare && bare->reason.empty() && correction.host_corrected_ns;
  constexpr std::size_t day = 10;  // of an ISO 8601 instant
  std::string text =
      fmt::format("Recorded {}; without the recorder's own time {} (calibrated{})",
                  format_ns(is_compared ? *correction.host_recorded_ns : correction.recorded_ns),
                  format_ns(is_compared ? *correction.host_corrected_ns : correction.corrected_ns),
                  correction.calibrated.empty() ? "" : " " + correction.calibrated.substr(0, day));
  if (is_compared) {
    text += fmt::format("; bare {} (median of {}, {} to {})", format_ns(bare->median_ns),
                        bare->runs, format_ns(bare->least_ns), format_ns(bare->most_ns));
    if (!bare->ended_synchronized) text += "; that is the host's time, the GPU works on";
  }
  text += ". Causes and predictions are without it, measures are as recorded.";
  if (!correction.first_recorded.empty()) {
    text += fmt::format(" As recorded {} would come first, without the recorder {} does.",
                        word_of_code(correction.first_recorded),
                        word_of_code(correction.first_corrected));
  }
  if (bare && !is_compared) text += " " + bare_sentences(*bare);
  return text;
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
    text += " The range ends before its GPU work does, so that this is the host's time alone.";
  }
  return text;
}

}  // namespace lapscope::reports
