#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"
#include "reports/text/layout.h"

// Where the time of a scope went by name: what Report::stats has.
namespace lapscope::reports {

// One of the tables of a scope.
struct StatsTable {
  std::string_view name;  // what --table takes
  std::vector<analyzer::StatsRow> analyzer::ScopeStats::*rows;
};

std::span<const StatsTable> stats_tables();

// "device 0 (NVIDIA H200), steady state", printable.
std::string title_of(const analyzer::ScopeStats& stats, const analyzer::Report& report);

// The sum of a table's rows, which their shares refer to.
std::int64_t sum_of(const std::vector<analyzer::StatsRow>& rows);

// Each writes these tables of all scopes of all reports.
using StatsTables = std::span<const StatsTable>;
using Reports = std::span<const analyzer::Report>;

// For people: a table below another, names shortened to the screen.
void render_stats_text(Reports reports, StatsTables tables, const TextStyle& style,
                       std::ostream& out);
// One object a trace, schema "lapscope-stats/1" (docs/json.md); an array for several.
void render_stats_json(Reports reports, StatsTables tables, const TextStyle& style,
                       std::ostream& out);
// One table with one head (RFC 4180). Columns state the trace, the scope and the table.
void render_stats_csv(Reports reports, StatsTables tables, const TextStyle& style,
                      std::ostream& out);

struct StatsRenderer {
  std::string_view name;  // what --format takes
  void (*render)(Reports reports, StatsTables tables, const TextStyle& style, std::ostream& out);
};

std::span<const StatsRenderer> stats_renderers();

}  // namespace lapscope::reports
