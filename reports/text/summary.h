#pragma once

#include <ostream>

#include "analyzer/analysis/report.h"
#include "reports/text/style.h"

namespace lapscope::reports {

// What there is to be on the screen beside a summary. Below a list of devices the tables of where
// time went and what was idle are left to --verbose.
enum class Room { whole_screen, below_devices };

// A device on one screen: the verdict, a strip over time for each engine, the figures that matter,
// what stops the rest, what to do first, and what the device waited for. When verbose, without what
// is printed in full elsewhere (findings.h, details.h).
void print_summary(const analyzer::DeviceResult& device, const TextStyle& style, Room room,
                   std::ostream& out);
// The same of a range, which is said to be of `device` unless that is null.
void print_summary(const analyzer::RangeResult& range, const analyzer::DeviceResult* device,
                   const TextStyle& style, Room room, std::ostream& out);

}  // namespace lapscope::reports
