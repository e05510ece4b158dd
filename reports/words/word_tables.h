#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// A table that several renderers show, each in its own style. The renderer escapes the texts.
struct WordTable {
  std::string caption;
  // A letter for each column. l: aligned left. r: aligned right, for figures. n: aligned left, for
  // names from the trace.
  std::string aligns;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // empty: the table is not shown
};

// The maximum length of a question's call site in text output. Longer call sites are cut.
inline constexpr std::size_t most_in_a_question = 64;  // characters

// Returns the questions of a scope with their savings. There is one table for each condition, for
// example that ops are independent. Each row has the command that predicts its saving. `range` is
// null if the scope is a whole device.
std::vector<WordTable> questions_tables(const analyzer::Report& report,
                                        const analyzer::ScopeResult& scope,
                                        const analyzer::RangeResult* range);
// Returns, for each call site, the saving of a fix at this call site alone (saving_at()). No rows
// if the finding has a single call site.
WordTable sites_table(const analyzer::FindingResult& finding, const analyzer::ScopeResult& scope);
// Returns a row for every cause that has a fix. A row has the result of the search for this cause.
// It also has the kinds of records that the search needs. No rows if causes are unknown.
WordTable looked_for_table(const analyzer::ScopeResult& scope);
// blame_table() lists the time of the critical path by work and cause. gap_causes_table() lists the
// idle time by cause. No rows if causes are unknown.
WordTable blame_table(const analyzer::ScopeResult& scope);
WordTable gap_causes_table(const analyzer::ScopeResult& scope);
// The measures that a page shows as cards, in this order, with their titles.
struct Card {
  enum class Form : std::uint8_t {
    as_measured,
    percent,
    rest,  // percent of 1 - value
  };
  std::string_view measure;
  std::string_view words;
  Form form = Form::as_measured;

  // Returns the ratio that is shown in percent.
  double shown(double ratio) const { return form == Form::rest ? 1 - ratio : ratio; }
  // Returns the title of a card with its definition: "busy: time in which at least one op runs".
  std::string title(const analyzer::Measure& of) const;
};
std::span<const Card> cards();

WordTable measures_table(const analyzer::ScopeResult& scope);
WordTable groups_table(const analyzer::DeviceResult& device);
// How the measures vary over the iterations of the device's loop; no rows without a loop.
WordTable iterations_table(const analyzer::DeviceResult& device);
// Returns measures of the intervals of a series. No rows if no series was requested.
WordTable series_table(const analyzer::DeviceResult& device, analyzer::Ns first_op);

// The measures in the table of a series.
inline constexpr std::string_view series_measures[] = {"busy", "overlap_ratio", "copy_hidden",
                                                       "idle_ratio"};
// Returns a measure of an interval. Null if the interval does not have the measure.
const analyzer::Value* value_of(const analyzer::SeriesBin& bin, std::string_view measure);

}  // namespace lapscope::reports
