#include "reports/gate/gate_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/words/format.h"
#include "reports/words/scope_words.h"

namespace lapscope::reports {

using analyzer::Judgement;
using analyzer::Outcome;
using analyzer::Sense;

const char* PerOutcome::of(Outcome outcome) const {
  switch (outcome) {
    case Outcome::passed:
      return passed;
    case Outcome::waived:
      return waived;
    case Outcome::failed:
      return failed;
    case Outcome::inconclusive:
      break;
  }
  return inconclusive;
}

std::string figure_text(double value, analyzer::MeasureUnit unit) {
  if (unit == analyzer::MeasureUnit::ns) return format_ns(std::llround(value));
  const std::string text = fmt::format("{:.3f}", value);
  return text == "-0.000" ? "0.000" : text;
}

std::string repeats_text(const analyzer::Repeats& repeats, analyzer::MeasureUnit unit) {
  const std::string median = figure_text(repeats.median, unit);
  const std::string low = figure_text(repeats.low, unit);
  const std::string high = figure_text(repeats.high, unit);
  return low == high ? median : fmt::format("{} ({} to {})", median, low, high);
}

std::string value_text(const Judgement& judgement) {
  return judgement.value ? repeats_text(*judgement.value, judgement.unit) : "n/a";
}

std::string bound_text(const Judgement& judgement) {
  if (!judgement.bound) return "";
  return fmt::format("{}{} {}", judgement.sense == Sense::at_least ? ">" : "<",
                     judgement.is_below ? "" : "=", figure_text(*judgement.bound, judgement.unit));
}

std::string margin_text(const Judgement& judgement) {
  if (!judgement.margin) return "";
  const double margin = *judgement.margin;
  const std::string text = figure_text(std::abs(margin), judgement.unit);
  // A value that is printed as zero has no sign.
  if (text.find_first_of("123456789") == std::string::npos) return text;
  return (margin < 0 ? "-" : "+") + text;
}

namespace {

std::string scope_sentence(const analyzer::JudgedScope& scope) {
  if (scope.is_default) {
    std::string sentence =
        default_scope_sentence(scope.steady ? &*scope.steady : nullptr, scope.words.source);
    if (scope.steady) sentence.insert(sentence.size() - 1, " (--whole: the whole run)");
    return sentence;
  }
  if (scope.range.empty()) return "Scope: the whole run with its set-up.";
  const bool is_nvtx = scope.kind == analyzer::ScopeKind::nvtx;
  return fmt::format("Scope: {}.",
                     is_nvtx ? "NVTX range '" + printable(scope.range) + "'" : scope.range);
}

}  // namespace

std::string scope_sentence(const analyzer::JudgedGate& gate) {
  std::string text;
  std::set<std::string> shown;
  for (const analyzer::JudgedScope& scope : gate.scopes) {
    std::string sentence = scope_sentence(scope);
    if (!shown.insert(sentence).second) continue;
    text += (text.empty() ? "" : " ") + sentence;
  }
  return text;
}

std::string title_of(const Judgement& judgement) {
  return fmt::format("{} of {}", judgement.condition, judgement.subject);
}

std::string sentence_of(const Judgement& judgement) {
  std::string sentence;
  if (judgement.value && judgement.bound && judgement.margin) {
    const double margin = *judgement.margin;
    const bool is_below = (judgement.sense == Sense::at_least) == (margin < 0);
    const std::string distance = figure_text(std::abs(margin), judgement.unit);
    const std::string bound = figure_text(*judgement.bound, judgement.unit);
    sentence = margin == 0 ? fmt::format("{} is at the bound.", value_text(judgement))
                           : fmt::format("{} is {} {} the bound of {}.", value_text(judgement),
                                         distance, is_below ? "below" : "above", bound);
    if (judgement.baseline) {
      sentence.back() = ',';
      sentence +=
          fmt::format(" from a baseline of {}.", figure_text(*judgement.baseline, judgement.unit));
    }
  }
  if (!judgement.reason.empty()) {
    sentence += (sentence.empty() ? "" : " ") + sentence_of(judgement.reason);
  }
  return sentence;
}

ExplanationWords words_of(const analyzer::Explanation& explanation) {
  using Kind = analyzer::Explanation::Kind;
  switch (explanation.kind) {
    case Kind::finding:
      break;
    case Kind::idle:
      return {"The device was idle for it.", ""};
    case Kind::little:
      return {"It saves less than makes a finding.",
              "`lapscope analyze --min-saving 0` shows where it comes from."};
  }
  return {explanation.sentence, explanation.fix};
}

std::string sentence_of(const analyzer::Explanation& explanation) {
  std::string sentence = fmt::format("{} ({:.1f} %)", explanation.code, 100 * explanation.share);
  if (explanation.at) {
    sentence += fmt::format(" at {}:{}", explanation.at->file, explanation.at->line);
    if (!explanation.at->function.empty()) sentence += " in " + explanation.at->function;
  }
  const ExplanationWords words = words_of(explanation);
  return sentence +
         fmt::format(": {}{}{}", words.sentence, words.fix.empty() ? "" : " ", words.fix);
}

std::string ExplainedOnce::sentence_of(const analyzer::Explanation& explanation) {
  std::string sentence = reports::sentence_of(explanation);
  if (shown_.insert(sentence).second) return sentence;
  return fmt::format("{}: as above", explanation.code);
}

std::string counts_text(const analyzer::OutcomeCounts& counts) {
  std::string text;
  const auto add = [&text](int count, const char* what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(counts.failed, "failed");
  add(counts.inconclusive, "inconclusive");
  add(counts.waived, "waived");
  add(counts.passed, "passed");
  return text.empty() ? "nothing was evaluated" : text;
}

std::string check_name(std::string_view condition) {
  std::string name = "lapscope/" + std::string(condition);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

// Returns the FNV-1a hash of the parts, 64 bits, in hexadecimal digits.
std::string fingerprint_of(std::initializer_list<std::string_view> parts) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string_view part : parts) {
    for (const char c : std::string(part) + '\n') {
      hash ^= static_cast<unsigned char>(c);
      hash *= 0x100000001b3;
    }
  }
  return fmt::format("{:016x}", hash);
}

std::string file_to_show(const analyzer::JudgedGate& gate) { return place_to_show(gate, {}).file; }

namespace {

// Returns the first source line with a relative path that an explanation names. The file of this
// line may be in the repository. Returns null if there is none.
const analyzer::SourcePlace* source_of(const Judgement& judgement) {
  for (const analyzer::Explanation& explanation : judgement.because) {
    if (!explanation.at || explanation.at->file.starts_with('/')) continue;
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (0 < explanation.at->line && explanation.at->line <= most) return &*explanation.at;
  }
  return nullptr;
}

}  // namespace

analyzer::Place place_to_show(const analyzer::JudgedGate& gate, const Judgement& judgement) {
  analyzer::Place place = judgement.place;
  if (const auto* source = source_of(judgement)) {
    place = {source->file, static_cast<std::uint32_t>(source->line), 0};
  } else if (place.file.empty()) {
    place.file = gate.files.empty() ? "" : gate.files.front();
  }
  place.line = std::max<std::uint32_t>(place.line, 1);
  // Repositories write paths without "./".
  while (place.file.starts_with("./")) place.file.erase(0, 2);
  return place;
}

}  // namespace lapscope::reports
