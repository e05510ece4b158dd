#include "reports/words/accuracy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analyzer/analysis/verdict.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/evidence.h"
#include "reports/words/filled.h"
#include "reports/words/format.h"
#include "reports/words/recorder_words.h"

namespace lapscope::reports {

using analyzer::CausesResult;
using analyzer::Ns;
using analyzer::RangeResult;

namespace {

constexpr std::size_t most_listed = 4;  // the most ranges that are listed one by one

std::string replayed_blind(const std::string& what, const CausesResult& causes) {
  return fmt::format("Model check of {}: replayed from typical durations it takes {} ({}).", what,
                     format_ns(causes.replay.blind_wall_ns),
                     format_change(causes.replay.blind_error));
}

std::string name_of(const RangeResult& range, const analyzer::DeviceResult& device) {
  if (range.steady) return fmt::format("device {}, steady state", device.id);
  return fmt::format("range '{}' on device {}", printable(range.name), device.id);
}

// Returns the ranges whose causes were analyzed.
std::vector<const RangeResult*> explained_ranges(const analyzer::DeviceResult& device) {
  std::vector<const RangeResult*> ranges;
  for (const RangeResult& range : device.ranges) {
    if (range.scope.causes) ranges.push_back(&range);
  }
  return ranges;
}

}  // namespace

std::string words_of(const analyzer::ErrorBand& band) {
  std::string low = format_ns(band.low_ns);
  const std::string high = format_ns(band.high_ns);
  const std::size_t low_unit = low.find(' ');
  if (low.substr(low_unit) == high.substr(high.find(' '))) low.erase(low_unit);
  return low + " to " + high;
}

std::string_view not_validated_for(const analyzer::Validity& validity) {
  using analyzer::NotValidated;
  return validity.not_for == NotValidated::one_site ? "a fix at one call site" : "a faster engine";
}

std::string_view word_of(analyzer::Certainty certainty) {
  switch (certainty) {
    case analyzer::Certainty::measured:
      return "measured";
    case analyzer::Certainty::upper_bound:
      return "upper bound";
    case analyzer::Certainty::unknown:
      break;
  }
  return "unknown";
}

std::string words_of(const analyzer::Validity& validity) {
  if (!validity.band) return fmt::format("unknown for {}", not_validated_for(validity));
  // If there is a band, Certainty::unknown means that the band includes the wall time of the
  // unchanged run. In this case, the fix may save nothing.
  const bool is_unsure = validity.certainty == analyzer::Certainty::unknown;
  return fmt::format("{}, {}", words_of(*validity.band),
                     is_unsure ? "unsure" : word_of(validity.certainty));
}

std::string kind_of(const analyzer::Residuals& like) {
  switch (like.kind) {
    case analyzer::PredictionKind::fix:
      return std::string(like.fix);
    case analyzer::PredictionKind::fix_class:
      return fmt::format("fixes on the {}", name_of(like.fixes));
    case analyzer::PredictionKind::estimate:
    case analyzer::PredictionKind::saving:
      return "fixes of all kinds";
    case analyzer::PredictionKind::any:
      break;
  }
  return "fixes that save little";
}

std::string accuracy_clause(const analyzer::ErrorBand& band) {
  const analyzer::Residuals& like = band.like;
  return fmt::format("{:+.0f} to {:+.0f} % for {} ({} recorded programs, median error {:.1f} %{})",
                     100 * (like.low - 1), 100 * (like.high - 1), kind_of(like), like.programs,
                     100 * like.median_error, band.is_of_other_gpu ? "; none on this GPU" : "");
}

std::string held_clause(const analyzer::ErrorBand& band) {
  return fmt::format(
      "it held for {:.0f} % of {} programs, each left out in turn, and does not include variation "
      "between runs",
      100 * band.held_out.covered, band.held_out.programs);
}

std::string_view condition_of(analyzer::Sharing end, analyzer::Doubt doubt) {
  const bool is_least = end == analyzer::Sharing::least;
  if (doubt == analyzer::Doubt::unexplained) return "delays that nothing explains end with it";
  if (doubt == analyzer::Doubt::threads) return "several threads or processes share the work";
  if (doubt == analyzer::Doubt::last_wave) {
    return is_least ? "kernels let the next ones start in their last wave of blocks"
                    : "kernels let no others start in their last wave of blocks";
  }
  return is_least ? "kernels beside each other do not slow each other down"
                  : "kernels beside each other slow each other down as much as they can";
}

std::string_view condition_code(const analyzer::Prediction& predicted) {
  const bool is_least = shorter_end(predicted) == analyzer::Sharing::least;
  if (predicted.doubt == analyzer::Doubt::unexplained) return "no-delays";
  if (predicted.doubt == analyzer::Doubt::threads) return "several-threads";
  if (predicted.doubt == analyzer::Doubt::last_wave) {
    return is_least ? "last-wave" : "no-last-wave";
  }
  return is_least ? "apart" : "shared";
}

analyzer::Sharing shorter_end(const analyzer::Prediction& predicted) {
  return predicted.longer == analyzer::Sharing::most ? analyzer::Sharing::least
                                                     : analyzer::Sharing::most;
}

std::string range_clause(Ns wall_ns, const analyzer::Prediction& predicted) {
  if (!predicted.is_open || predicted.least_wall_ns >= wall_ns) return "";
  return fmt::format(", up to {} if {}", format_ns(wall_ns - predicted.least_wall_ns),
                     condition_of(shorter_end(predicted), predicted.doubt));
}

std::string assumed_sentence(const std::set<std::string_view>& assumed) {
  return fmt::format("Assumed, not measured in this trace (docs/numbers.md): {}.",
                     fmt::join(assumed, ", "));
}

std::vector<std::string> open_sentences(const CausesResult& causes) {
  std::vector<std::string> sentences;
  for (const analyzer::OpenQuestion& question : causes.open_questions()) {
    std::vector<std::string_view> records = question.missing;
    if (std::erase(records, analyzer::bare_runs) > 0) {
      sentences.push_back(fmt::format("Unknown whether {} cost time: {}", list_of(question.codes),
                                      recorder_decides(causes)));
    }
    if (records.empty()) continue;
    sentences.push_back(fmt::format("Unknown whether {} cost time: the trace has no records of {}.",
                                    list_of(question.codes), list_of(records)));
  }
  return sentences;
}

std::string doubt_sentence(const analyzer::ScopeResult& scope) {
  if (!scope.causes) return "";
  const auto sentence = [&](std::string_view consequence) {
    return fmt::format("Replayed from typical durations, the unchanged run takes {} {}: {}.",
                       format_percent(std::abs(scope.causes->replay.blind_error)),
                       scope.causes->replay.blind_error < 0 ? "less" : "more", consequence);
  };
  switch (model_check_of(scope.causes->replay)) {
    case analyzer::ModelCheck::good:
      break;
    case analyzer::ModelCheck::doubtful:
      return sentence("what is predicted may be as far off");
    case analyzer::ModelCheck::useless:
      return sentence("no saving can be shown");
  }
  return "";
}

std::vector<std::string> model_sentences(const std::string& where, const CausesResult& causes) {
  std::vector<std::string> sentences;
  if (causes.unexplained_share > analyzer::assumed::noteworthy) {
    sentences.push_back(fmt::format("No cause explains {:.1f} % of the time of {}.",
                                    100 * causes.unexplained_share, where));
  }
  sentences.push_back(replayed_blind(where, causes));
  if (!causes.is_accounted()) {
    sentences.push_back(
        fmt::format("The model does not account for {}: its findings are inconclusive.", where));
  }
  return sentences;
}

std::vector<std::string> model_sentences(const analyzer::DeviceResult& device) {
  std::vector<std::string> sentences;
  const auto add = [&sentences](const std::string& where, const CausesResult& causes) {
    for (std::string& sentence : model_sentences(where, causes)) {
      sentences.push_back(std::move(sentence));
    }
  };
  const std::vector<const RangeResult*> ranges = explained_ranges(device);
  // Missing records concern the whole trace. Each sentence about them is therefore added only once.
  const auto add_once = [&sentences](const CausesResult& causes) {
    for (std::string& sentence : open_sentences(causes)) {
      if (std::find(sentences.begin(), sentences.end(), sentence) != sentences.end()) continue;
      sentences.push_back(std::move(sentence));
    }
  };
  for (const RangeResult* range : ranges) add_once(*range->scope.causes);
  if (device.scope.causes) {
    add_once(*device.scope.causes);
    add(fmt::format("device {}", device.id), *device.scope.causes);
  }
  if (ranges.size() <= most_listed) {
    for (const RangeResult* range : ranges) add(name_of(*range, device), *range->scope.causes);
    return sentences;
  }
  const auto worst_by = [&ranges](auto&& figure) {
    return *std::max_element(ranges.begin(), ranges.end(),
                             [&](const RangeResult* a, const RangeResult* b) {
                               return figure(*a->scope.causes) < figure(*b->scope.causes);
                             });
  };
  const RangeResult& off =
      *worst_by([](const CausesResult& causes) { return std::abs(causes.replay.blind_error); });
  const RangeResult& unexplained =
      *worst_by([](const CausesResult& causes) { return causes.unexplained_share; });
  sentences.push_back(fmt::format(
      "Model check of {} ranges on device {}: worst error {}, in '{}'; most unexplained time {}, "
      "in '{}'.",
      ranges.size(), device.id, format_change(off.scope.causes->replay.blind_error),
      printable(off.name), format_percent(unexplained.scope.causes->unexplained_share),
      printable(unexplained.name)));
  const auto open = std::count_if(ranges.begin(), ranges.end(), [](const RangeResult* range) {
    return !range->scope.causes->is_accounted();
  });
  if (open > 0) {
    sentences.push_back(fmt::format(
        "The model does not account for {} of these ranges: their findings are inconclusive.",
        open));
  }
  return sentences;
}

}  // namespace lapscope::reports
