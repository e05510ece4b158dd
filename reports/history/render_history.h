#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/measures/measure.h"
#include "analyzer/summary/history.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

using HistoryOf = std::span<const analyzer::HistorySeries>;

struct HistoryRenderer {
  std::string_view name;
  std::string_view extension;
  void (*render)(const analyzer::Measure& measure, HistoryOf series, const TextStyle& style,
                 std::ostream& out);
};

// Writes a table for each series: label, time of recording, median, range of repeats, change.
void render_history_text(const analyzer::Measure& measure, HistoryOf series, const TextStyle& style,
                         std::ostream& out);

// Writes an HTML page with the same tables and a chart for each series. The page needs no scripts.
void render_history_html(const analyzer::Measure& measure, HistoryOf series, const TextStyle& style,
                         std::ostream& out);

// The first is the default.
inline constexpr HistoryRenderer history_renderers[] = {{"text", ".txt", render_history_text},
                                                        {"html", ".html", render_history_html}};

// Formats a value in the measure's unit: "8.65 ms" or "0.532".
std::string history_value(const analyzer::Measure& measure, double value);

// The texts of a table row.
struct HistoryCells {
  std::string median;
  std::string range;   // of the repeats; empty for a single run
  std::string change;  // change of the median since the last point that has one
  std::string note;    // runs that were left out, or why there is no value
};
std::vector<HistoryCells> cells_of(const analyzer::Measure& measure,
                                   const analyzer::HistorySeries& series);

// Returns the GPU and the scope of a series, such as "GPU 0 (NVIDIA H200), steady state".
std::string title_of(const analyzer::HistorySeries& series);

}  // namespace lapscope::reports
