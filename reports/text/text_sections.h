#pragma once

#include <cstddef>
#include <ostream>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "reports/text/layout.h"
#include "reports/words/word_tables.h"

namespace lapscope::reports {

// Prints the first screen. In a terminal of 80 columns or more, it has at most screen_lines lines.
void print_screen(const analyzer::Report& report, const TextStyle& style, std::ostream& out);

// Returns the findings of a scope that fit into `room` lines on the first screen, at least the
// first one, and a line with the number of the others. If room is short, there is no heading.
Lines finding_sections(const analyzer::ScopeResult& scope, std::size_t room,
                       const TextStyle& style);

// Returns how many lines the heading, the first finding and the line about further findings take.
// Requires a finding.
std::size_t lines_of_one(const analyzer::ScopeResult& scope, const TextStyle& style);

// Prints how busy each engine was over time. There is a line for each engine and one for idle time.
// If there is other work, it has a line, too.
void print_strips(const analyzer::ActivityStrip& strip,
                  const std::vector<analyzer::EngineResult>& engines,
                  const analyzer::ScopeResult& scope, const TextStyle& style, std::ostream& out);

// Prints a device's verdict, strips, figures and open questions, for verbose output.
void print_summary(const analyzer::Report& report, const analyzer::DeviceResult& device,
                   const TextStyle& style, std::ostream& out);
// Like the function above, for one of the device's ranges.
void print_summary(const analyzer::Report& report, const analyzer::RangeResult& range,
                   const analyzer::DeviceResult& device, const TextStyle& style, std::ostream& out);

// Prints every finding of a scope with its fix, prediction and evidence. Then prints the whole
// critical path and its longest parts. Instants are times after `first_op`.
void print_causes(const analyzer::ScopeResult& scope, analyzer::Ns first_op, const TextStyle& style,
                  std::ostream& out);

// Prints the call sites of a report's findings by source line, the largest saving first.
void print_by_line(const analyzer::Report& report, const TextStyle& style, std::ostream& out);

// Prints, for each scope, every function in which the host was sampled.
void print_by_function(const analyzer::Report& report, const TextStyle& style, std::ostream& out);

// Prints a table with its caption. Prints nothing if the table has no rows.
void print_table(const WordTable& words, std::ostream& out);

// Prints every table of a device. The tables show measures and their definitions, then states,
// gaps, engines, streams, and further requested results.
void print_details(const analyzer::DeviceResult& device, analyzer::Ns first_op, std::ostream& out);

// Prints the measures, states and gaps of a scope.
void print_details(const analyzer::ScopeResult& scope, analyzer::Ns first_op, std::ostream& out);

}  // namespace lapscope::reports
