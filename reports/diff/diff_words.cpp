#include "reports/diff/diff_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/stacks.h"
#include "reports/gate/gate_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

// Returns a difference with its sign. A difference that is printed as zero has no sign.
std::string signed_text(double difference, analyzer::MeasureUnit unit) {
  const std::string text = figure_text(std::abs(difference), unit);
  if (text.find_first_of("123456789") == std::string::npos) return text;
  return (difference < 0 ? "-" : "+") + text;
}

}  // namespace

ChangeCells cells_of(const analyzer::FigureChange& figure, analyzer::MeasureUnit unit) {
  ChangeCells cells;
  cells.before = figure.before ? repeats_text(*figure.before, unit) : "n/a";
  cells.after = figure.after ? repeats_text(*figure.after, unit) : "n/a";
  if (const auto difference = figure.difference()) {
    cells.difference = signed_text(*difference, unit);
    const double before = figure.before->median;
    if (unit == analyzer::MeasureUnit::ns && before > 0) {
      cells.difference += " (" + format_change(*difference / before) + ")";
    }
  }
  if (figure.change != analyzer::Change::unclear) cells.meaning = name_of(figure.change);
  if (figure.chance) cells.meaning += fmt::format(", p {:.3f}", *figure.chance);
  return cells;
}

ChangeCells cells_of(const analyzer::FigureChange& figure, const Card& card) {
  const auto text_of = [&card](const std::optional<analyzer::Repeats>& repeats) -> std::string {
    if (!repeats) return "n/a";
    const auto [low, high] = std::minmax({card.shown(repeats->low), card.shown(repeats->high)});
    const std::string median = format_percent(card.shown(repeats->median));
    if (format_percent(low) == format_percent(high)) return median;
    return fmt::format("{} ({} to {})", median, format_percent(low), format_percent(high));
  };
  ChangeCells cells{text_of(figure.before), text_of(figure.after), "", ""};
  if (figure.before && figure.after) {
    const double change = card.shown(figure.after->median) - card.shown(figure.before->median);
    std::string text = format_change(change);
    text.resize(text.size() - std::string_view("%").size());
    cells.difference = text + "points";
  }
  return cells;
}

namespace {

using Codes = std::vector<std::string>;

bool has(const Codes& codes, const std::string& code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

// Returns each code once, in the order of the findings.
Codes codes_of(const std::vector<analyzer::FindingChange>& findings) {
  Codes codes;
  for (const analyzer::FindingChange& finding : findings) {
    if (!has(codes, finding.code)) codes.push_back(finding.code);
  }
  return codes;
}

// Lists codes and what happened to them (`fate`): "a, b and 2 more are gone".
std::string named(const Codes& codes, std::string_view fate) {
  constexpr std::size_t shown = 2;
  if (codes.empty()) return "";
  std::string text = codes[0];
  if (codes.size() > 1) text += ", " + codes[1];
  if (codes.size() > shown) text += fmt::format(" and {} more", codes.size() - shown);
  return fmt::format("{} {} {}", text, codes.size() == 1 ? "is" : "are", fate);
}

// States which causes are gone or new: "a is gone; b is new". A cause that both sides have is
// neither gone nor new, even if its calls differ.
std::string causes_clause(const analyzer::WorkChange& work) {
  const Codes kept = codes_of(work.kept);
  const Codes lost = codes_of(work.lost);
  const Codes gained = codes_of(work.gained);
  const auto without = [&kept](Codes codes, const Codes& others) {
    std::erase_if(codes, [&](const auto& code) { return has(others, code) || has(kept, code); });
    return codes;
  };
  const std::string gone = named(without(lost, gained), "gone");
  const std::string is_new = named(without(gained, lost), "new");
  return gone + (gone.empty() || is_new.empty() ? "" : "; ") + is_new;
}

}  // namespace

std::string verdict_sentence(const analyzer::Comparison& comparison) {
  if (comparison.works.empty() || !comparison.trouble.empty()) return "";
  const analyzer::WorkChange& work = comparison.works.front();
  const auto wall =
      std::find_if(work.measures.begin(), work.measures.end(),
                   [](const auto& change) { return change.measure == &analyzer::wall; });
  if (wall == work.measures.end() || !wall->figure.before || !wall->figure.after) return "";
  const double before = wall->figure.before->median;
  const double after = wall->figure.after->median;
  if (before <= 0 || after <= 0) return "";
  constexpr double times = 1.2;  // smaller ratios are stated in percent
  std::string text;
  const std::string change = format_change((after - before) / before);
  if (wall->figure.change == analyzer::Change::same || change == format_change(0)) {
    text = "As fast as before";
  } else if (std::max(before / after, after / before) >= times) {
    text = after < before ? fmt::format("{:.1f} × faster", before / after)
                          : fmt::format("{:.1f} × slower", after / before);
  } else {
    text = fmt::format("{} {}", change.substr(1), after < before ? "faster" : "slower");
  }
  const std::string why = causes_clause(work);
  return text + (why.empty() ? "" : ": " + why) + ".";
}

std::string scope_sentence(const analyzer::Comparison& comparison) {
  std::string list;
  bool is_steady = false;
  for (const std::string& scope : comparison.default_scopes) {
    list += (list.empty() ? "" : "; ") + (scope.empty() ? "the whole run" : scope);
    is_steady |= !scope.empty();
  }
  if (list.empty()) return "";
  return fmt::format("Scope: {}{}.", list,
                     is_steady ? " (--whole: the whole run)"
                               : "; it has no profiler brackets, loop or NVTX range");
}

std::string noise_sentence(const analyzer::Comparison& comparison) {
  const std::string runs =
      fmt::format("{} before, {} after", comparison.before.runs, comparison.after.runs);
  if (!comparison.has_enough_runs) {
    return fmt::format(
        "Runs: {}: too few to separate small differences from noise; four on each side are enough.",
        runs);
  }
  return fmt::format(
      "Runs: {}. p: probability of such a difference by noise alone; above {} it counts as the "
      "same.",
      runs, analyzer::assumed::chance.value);
}

namespace {

std::string short_place(const analyzer::SourcePlace& place) {
  return printable(
      fmt::format("{}:{} in {}", analyzer::file_name(place.file), place.line, place.function));
}

std::string place_text(const analyzer::FindingChange& finding) {
  const auto& then = finding.at_before;
  const auto& now = finding.at_after;
  if (!then && !now) return "";
  std::string text = " at " + short_place(now ? *now : *then);
  if (then && now && *then != *now) text += fmt::format(" ({} before)", short_place(*then));
  return text;
}

}  // namespace

std::string finding_text(const analyzer::FindingChange& finding) {
  std::string shares;
  if (!finding.is_saving_known) {
    shares = "an unknown time: the model check is too far off";
  } else if (finding.before_share > 0 && finding.after_share > 0) {
    shares = fmt::format("{:.1f} % before, {:.1f} % after", 100 * finding.before_share,
                         100 * finding.after_share);
  } else {
    shares = fmt::format("{:.1f} %", 100 * std::max(finding.before_share, finding.after_share));
  }
  return fmt::format("{}: {} (fix saves {}){}", finding.code, finding.what, shares,
                     place_text(finding));
}

std::string launch_text(const analyzer::LaunchChange& launch) {
  const std::string now = fmt::format("launch {} of {}", launch.nth, launch.of);
  if (launch.nth == launch.nth_before && launch.of == launch.of_before) return now;
  return now + fmt::format(" ({} of {} before)", launch.nth_before, launch.of_before);
}

}  // namespace lapscope::reports
