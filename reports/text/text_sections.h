#pragma once

#include <ostream>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "reports/text/layout.h"
#include "reports/words/word_tables.h"

namespace lapscope::reports {

// The first screen: at most screen_lines lines in a terminal of 80 columns or more, for any trace.
void print_screen(const analyzer::Report& report, const TextStyle& style, std::ostream& out);

// How busy each engine was over the time of a scope, a line for each, one for idle time, and the
// scale.
void print_strips(const analyzer::ActivityStrip& strip,
                  const std::vector<analyzer::EngineResult>& engines,
                  const analyzer::ScopeResult& scope, const TextStyle& style, std::ostream& out);

// A device when verbose: the verdict, strips and figures, and questions that the trace leaves open.
void print_summary(const analyzer::Report& report, const analyzer::DeviceResult& device,
                   const TextStyle& style, std::ostream& out);
// The same of a range of a device.
void print_summary(const analyzer::Report& report, const analyzer::RangeResult& range,
                   const analyzer::DeviceResult& device, const TextStyle& style, std::ostream& out);

// A line for each device, and which of them is `shown` below.
void print_devices(const analyzer::Report& report, const analyzer::DeviceResult& shown,
                   const TextStyle& style, std::ostream& out);

// Every finding of a scope with its fix, prediction and evidence, the whole critical path, and the
// longest parts of it. Instants count from `first_op`.
void print_causes(const analyzer::ScopeResult& scope, analyzer::Ns first_op, const TextStyle& style,
                  std::ostream& out);

// The call sites of a report's findings, grouped by the line of the source, what saves most first.
void print_by_line(const analyzer::Report& report, const TextStyle& style, std::ostream& out);

// What the host was seen to do in each scope, every function.
void print_by_function(const analyzer::Report& report, const TextStyle& style, std::ostream& out);

// A table that other renderings have, too, below its caption; nothing without rows.
void print_table(const WordTable& words, std::ostream& out);

// What a program has not tried yet, or why streams do not help it further.
void print_advice(const analyzer::ScopeResult& scope, const TextStyle& style, std::ostream& out);

// Every table of a device: measures with their definitions, states, gaps, engines, streams, and
// what else was asked for.
void print_details(const analyzer::DeviceResult& device, analyzer::Ns first_op, std::ostream& out);

// The measures, states and gaps of a scope.
void print_details(const analyzer::ScopeResult& scope, analyzer::Ns first_op, std::ostream& out);

}  // namespace lapscope::reports
