#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// A table that several renderings show, each in its own looks. Texts are as they were in the trace:
// who shows them escapes them.
struct WordTable {
  std::string caption;
  std::string aligns;  // for each column l: left; r: right, figures; n: left, a name of the trace
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // none: there is nothing to show
};

// How much is shown of the place where a question arises: names in it may have any length.
inline constexpr std::size_t most_in_a_question = 64;  // characters

// What would be saved if ops did not depend on each other, which the trace does not show: a line
// each, with the command that predicts it. `range` is null when the scope is a whole device.
// A table for each thing that must hold for them to be findings.
std::vector<WordTable> questions_tables(const analyzer::Report& report,
                                        const analyzer::ScopeResult& scope,
                                        const analyzer::RangeResult* range);
// What a finding's fix would save at each call site alone; no rows with one site only.
WordTable sites_table(const analyzer::FindingResult& finding);
// Every cause that has a fix, whether it was found, and the records that the answer needs. No
// rows when causes are not known.
WordTable looked_for_table(const analyzer::ScopeResult& scope);
// No rows when causes are not known.
WordTable blame_table(const analyzer::ScopeResult& scope);
WordTable gap_causes_table(const analyzer::ScopeResult& scope);
// The measures that a page shows by themselves, in this order, and what they are called there.
struct Card {
  enum class Form : std::uint8_t {
    as_measured,
    percent,
    rest,  // percent of what is left to 1
  };
  std::string_view measure;
  std::string_view words;
  Form form = Form::as_measured;

  // The value of a ratio that is shown in percent.
  double shown(double ratio) const { return form == Form::rest ? 1 - ratio : ratio; }
  // For example "busy: time with at least one op".
  std::string title(const analyzer::Measure& of) const;
};
std::span<const Card> cards();

WordTable measures_table(const analyzer::ScopeResult& scope);
WordTable groups_table(const analyzer::DeviceResult& device);
// How the measures vary over the iterations of the device's loop; no rows without one.
WordTable iterations_table(const analyzer::DeviceResult& device);
// Some measures of the intervals of a series; no rows when none was asked for.
WordTable series_table(const analyzer::DeviceResult& device, analyzer::Ns first_op);

// Measures that a series is shown by.
inline constexpr std::string_view series_measures[] = {"busy", "overlap_ratio", "copy_hidden",
                                                       "idle_ratio"};
// The measure of an interval; null if the interval lacks it.
const analyzer::Value* value_of(const analyzer::SeriesBin& bin, std::string_view measure);

}  // namespace lapscope::reports
