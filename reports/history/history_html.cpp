#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/history/render_history.h"
#include "reports/html/html_markup.h"

namespace lapscope::reports {
namespace {

using analyzer::HistoryPoint;
using analyzer::HistorySeries;
using analyzer::Measure;

// Size of the chart, in SVG units.
constexpr double width = 720;
constexpr double height = 180;
constexpr double margin = 24;

// Maps values to positions in the chart. The vertical axis reaches from the least to the largest
// value, so that small changes are visible. If all values are equal, they are at half height.
class Scale {
 public:
  explicit Scale(const HistorySeries& series) : points_(series.points.size()) {
    bool is_first = true;
    for (const HistoryPoint& point : series.points) {
      if (point.values.empty()) continue;
      least_ = is_first ? point.values.front() : std::min(least_, point.values.front());
      most_ = is_first ? point.values.back() : std::max(most_, point.values.back());
      is_first = false;
    }
  }
  double x(std::size_t point) const {
    const double share =
        points_ < 2 ? 0.5 : static_cast<double>(point) / static_cast<double>(points_ - 1);
    return margin + share * (width - 2 * margin);
  }
  double y(double value) const {
    const double share = most_ > least_ ? (value - least_) / (most_ - least_) : 0.5;
    return height - margin - share * (height - 2 * margin);
  }
  std::string least(const Measure& measure) const { return history_value(measure, least_); }
  std::string most(const Measure& measure) const { return history_value(measure, most_); }

 private:
  std::size_t points_ = 0;
  double least_ = 0;
  double most_ = 0;
};

// Draws a line through the medians, and at each point a bar with the range of the repeats.
std::string picture_of(const Measure& measure, const HistorySeries& series,
                       const std::vector<HistoryCells>& cells) {
  const Scale scale(series);
  std::string line;
  std::string marks;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const HistoryPoint& point = series.points[i];
    if (point.values.empty()) continue;
    const double x = scale.x(i);
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x, scale.y(point.median()));
    marks += fmt::format(
        "<g><title>{}: {}{}</title><path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"currentColor\" "
        "stroke-opacity=\".4\" stroke-width=\"4\"/><circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" "
        "fill=\"currentColor\"/></g>",
        html_text(point.label), html_text(cells[i].median),
        cells[i].range.empty() ? "" : html_text(" (" + cells[i].range + ")"), x,
        scale.y(point.values.front()), scale.y(point.values.back()), x, scale.y(point.median()));
  }
  if (line.empty()) return "";
  const auto axis = [](double y, const std::string& text) {
    return fmt::format(
        "<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"12\" fill=\"currentColor\">{}</text>", margin,
        y, html_text(text));
  };
  return fmt::format(
      "<figure><svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">{}{}"
      "<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" "
      "stroke-width=\"1.5\"/>{}</svg></figure>\n",
      width, height,
      html_text(fmt::format("{} over {} labels; the values are in the table", measure.name,
                            series.points.size())),
      axis(14, scale.most(measure)), axis(height - 4, scale.least(measure)), line, marks);
}

std::string section_of(const Measure& measure, const HistorySeries& series) {
  const std::vector<HistoryCells> cells = cells_of(measure, series);
  std::vector<Cells> rows;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    rows.push_back({html_name(series.points[i].label, 60), html_text(series.points[i].created),
                    html_text(cells[i].median), html_text(cells[i].range),
                    html_text(cells[i].change), html_text(cells[i].note)});
  }
  return fmt::format("<section><h2>{}</h2>\n", html_text(title_of(series))) +
         picture_of(measure, series, cells) +
         table_of("", "llrlrl", {"label", "recorded", "median", "repeats", "change", ""}, rows) +
         "</section>\n";
}

}  // namespace

void render_history_html(const Measure& measure, HistoryOf all, const TextStyle&,
                         std::ostream& out) {
  const std::string title = fmt::format("History of {}", measure.name);
  std::vector<std::string> parts = {
      fmt::format("<h1>{}</h1>\n<p>{}</p>\n", html_text(title), html_text(measure.definition))};
  for (const HistorySeries& series : all) parts.push_back(section_of(measure, series));
  write_page(title, parts, LAPSCOPE_VERSION, out);
}

}  // namespace lapscope::reports
