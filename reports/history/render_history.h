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

// The first is the default.
std::span<const HistoryRenderer> history_renderers();

// A table for each series: label, when it was recorded, median, range of repeats, change.
void render_history_text(const analyzer::Measure& measure, HistoryOf series, const TextStyle& style,
                         std::ostream& out);

// A page with a picture for each series and the same tables; without scripts of its own.
void render_history_html(const analyzer::Measure& measure, HistoryOf series, const TextStyle& style,
                         std::ostream& out);

// "8.65 ms" or "0.532", by the measure's unit.
std::string history_value(const analyzer::Measure& measure, double value);

// What both tables have, in words.
struct HistoryCells {
  std::string median;
  std::string range;   // of repeats; empty where there is one
  std::string change;  // of the median against the point before that has one; empty for the first
  std::string note;    // runs that were left out, or why there is no value
};
std::vector<HistoryCells> cells_of(const analyzer::Measure& measure,
                                   const analyzer::HistorySeries& series);

// "GPU 0 (NVIDIA H200), steady state"
std::string title_of(const analyzer::HistorySeries& series);

}  // namespace lapscope::reports
