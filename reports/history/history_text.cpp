#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "reports/history/render_history.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::HistoryPoint;
using analyzer::HistorySeries;
using analyzer::Measure;
using analyzer::MeasureUnit;

std::string change_text(const Measure& measure, double before, double now) {
  if (measure.unit == MeasureUnit::ratio) return fmt::format("{:+.3f}", now - before);
  return before > 0 ? format_change(now / before - 1) : "";
}

}  // namespace

void render_history_text(const Measure& measure, HistoryOf all, const TextStyle& style,
                         std::ostream& out) {
  const Paint paint(style);
  using Align = Table::Align;
  bool is_first = true;
  for (const HistorySeries& series : all) {
    out << fmt::format("{}{}\n", is_first ? "" : "\n",
                       paint.bold(fmt::format("{} of {}", measure.name, title_of(series))));
    is_first = false;
    Table table({Align::left, Align::left, Align::right, Align::left, Align::right, Align::left});
    table.add({"label", "recorded", "median", "repeats", "change", ""});
    const std::vector<HistoryCells> rows = cells_of(measure, series);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      table.add({printable(series.points[i].label), printable(series.points[i].created),
                 rows[i].median, rows[i].range, rows[i].change, rows[i].note});
    }
    table.print(out, 2);
  }
}

std::string history_value(const Measure& measure, double value) {
  return measure.unit == MeasureUnit::ns ? format_ns(std::llround(value))
                                         : fmt::format("{:.3f}", value);
}

std::vector<HistoryCells> cells_of(const Measure& measure, const HistorySeries& series) {
  std::vector<HistoryCells> rows;
  const HistoryPoint* before = nullptr;
  for (const HistoryPoint& point : series.points) {
    HistoryCells& cells = rows.emplace_back();
    if (point.left_out > 0) cells.note = fmt::format("{} inconclusive", point.left_out);
    if (point.values.empty()) {
      cells.median = "n/a";
      continue;
    }
    cells.median = history_value(measure, point.median());
    if (point.values.size() > 1) {
      cells.range = fmt::format("{} to {}", history_value(measure, point.values.front()),
                                history_value(measure, point.values.back()));
    }
    if (before) cells.change = change_text(measure, before->median(), point.median());
    before = &point;
  }
  return rows;
}

std::string title_of(const HistorySeries& series) {
  std::string title = fmt::format("GPU {} ({})", series.device, printable(series.device_name));
  if (series.kind == analyzer::ScopeKind::device) return title + ", all of the run";
  if (series.kind == analyzer::ScopeKind::steady) {
    return title + ", steady state" +
           (series.steady.empty() ? "" : ": " + printable(series.steady));
  }
  return title + ", range " + printable(series.scope);
}

}  // namespace lapscope::reports
