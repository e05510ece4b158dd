#include "reports/diff/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/model/assumptions.h"
#include "reports/gate/wording.h"

namespace lapscope::reports {
ChangeCells cells_of(const analyzer::FigureChange& figure, analyzer::MeasureUnit unit) {
  ChangeCells cells;
  cells.before = figure.before ? repeats_text(*figure.before, unit) : "n/a";
  cells.after = figure.after ? repeats_text(*figure.after, unit) : "n/a";
  if (const auto difference = figure.difference()) {
    cells.difference = (*difference < 0 ? "-" : "+") + figure_text(std::abs(*difference), unit);
    const double before = figure.before->median;
    if (unit == analyzer::MeasureUnit::ns && before > 0) {
      cells.difference += fmt::format(" ({:+.1f} %)", 100 * *difference / before);
    }
  }
  if (figure.change != analyzer::Change::unclear) cells.meaning = name_of(figure.change);
  if (figure.chance) cells.meaning += fmt::format(", p {:.3f}", *figure.chance);
  return cells;
}

std::string noise_sentence(const analyzer::Comparison& comparison) {
  const std::string runs =
      fmt::format("{} before, {} after", comparison.before.runs, comparison.after.runs);
  const std::vector<double> before(comparison.before.runs, 0.0);
  const std::vector<double> after(comparison.after.runs, 1.0);
  if (!analyzer::chance_of_difference(before, after)) {
    return fmt::format(
        "Runs: {}: too few to separate differences from noise; four on each side are enough.",
        runs);
  }
  return fmt::format(
      "Runs: {}. p: probability of such a difference by noise alone; above {} it counts as the "
      "same.",
      runs, analyzer::assumed::chance.value);
}

std::string finding_text(const analyzer::FindingChange& finding) {
  std::string shares;
  if (finding.before_share > 0 && finding.after_share > 0) {
    shares = fmt::format("{:.1f} % before, {:.1f} % after", 100 * finding.before_share,
                         100 * finding.after_share);
  } else {
    shares = fmt::format("{:.1f} %", 100 * std::max(finding.before_share, finding.after_share));
  }
  return fmt::format("{}: {} (fix saves {})", finding.code, finding.what, shares);
}

std::string launch_text(const analyzer::LaunchChange& launch) {
  const std::string now = fmt::format("launch {} of {}", launch.nth, launch.of);
  if (launch.nth == launch.nth_before && launch.of == launch.of_before) return now;
  return now + fmt::format(" ({} of {} before)", launch.nth_before, launch.of_before);
}

}  // namespace lapscope::reports
