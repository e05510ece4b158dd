#pragma once

#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"
#include "reports/text/layout.h"

// Writes Report::stats: tables of names, such as those of all kernels in a scope, with their times.
namespace lapscope::reports {

// A table of a scope.
struct StatsTable {
  std::string_view name;  // value of --table
  std::vector<analyzer::StatsRow> analyzer::ScopeStats::*rows;
};

inline constexpr StatsTable stats_tables[] = {{"kernels", &analyzer::ScopeStats::kernels},
                                              {"copies", &analyzer::ScopeStats::copies},
                                              {"calls", &analyzer::ScopeStats::calls}};

// Each renderer writes the given tables for all scopes of all reports.
using StatsTables = std::span<const StatsTable>;
using Reports = std::span<const analyzer::Report>;

// Writes tables one below the other. Names are shortened to fit the screen.
void render_stats_text(Reports reports, StatsTables tables, const TextStyle& style,
                       std::ostream& out);
// Writes an object of the schema "lapscope-stats/1" (docs/json.md) for each trace. Several objects
// are written as an array.
void render_stats_json(Reports reports, StatsTables tables, const TextStyle& style,
                       std::ostream& out);
// Writes one table with one header line (RFC 4180). Columns name the trace, the scope and the
// table.
void render_stats_csv(Reports reports, StatsTables tables, const TextStyle& style,
                      std::ostream& out);

struct StatsRenderer {
  std::string_view name;  // value of --format
  void (*render)(Reports reports, StatsTables tables, const TextStyle& style, std::ostream& out);
};

inline constexpr StatsRenderer stats_renderers[] = {
    {"text", render_stats_text}, {"csv", render_stats_csv}, {"json", render_stats_json}};

}  // namespace lapscope::reports
