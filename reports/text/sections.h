#pragma once

#include <ostream>

#include "analyzer/analysis/report.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// What there is to be on the screen beside a summary. Below a list of devices the tables of where
// time went and what was idle are left to --verbose.
enum class Screen { whole, below_devices };

// A device on one screen: the verdict, a strip over time for each engine, the figures that matter,
// what stops the rest, what to do first, and what the device waited for. When verbose, without what
// is printed in full by the functions below.
void print_summary(const analyzer::DeviceResult& device, const TextStyle& style, Screen screen,
                   std::ostream& out);
// The same of a range of a device; a steady state with its strips.
void print_summary(const analyzer::RangeResult& range, const analyzer::DeviceResult& device,
                   Screen screen, const TextStyle& style, std::ostream& out);

// The device of a report that has the most to gain: by what its first finding saves, of a range
// where ranges were asked for; else by its ops. Null when there is none.
const analyzer::DeviceResult* device_to_show(const analyzer::Report& report);

// A line for each device, and which of them is `shown` below.
void print_devices(const analyzer::Report& report, const analyzer::DeviceResult& shown,
                   const TextStyle& style, std::ostream& out);

// Every finding of a scope with its fix, prediction and evidence, and the whole blame table;
// when asked for more, the longest parts of the critical path, too.
void print_causes(const analyzer::ScopeResult& scope, const TextStyle& style, std::ostream& out);

// What a program has not tried yet, or why streams do not help it further.
void print_advice(const analyzer::ScopeResult& scope, const TextStyle& style, std::ostream& out);

// Every table of a device: measures with their definitions, states, gaps, engines, streams, and
// what else was asked for.
void print_details(const analyzer::DeviceResult& device, std::ostream& out);

// The measures, states and gaps of a scope.
void print_details(const analyzer::ScopeResult& scope, std::ostream& out);

}  // namespace lapscope::reports
