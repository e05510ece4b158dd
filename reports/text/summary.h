#pragma once

#include <ostream>
#include <string>

#include "analyzer/analysis/report.h"
#include "reports/text/style.h"

namespace lapscope::reports {

// A device on one screen: the verdict, a strip over time for each engine, the figures that matter,
// what stops the rest, what to do first, and what the device waited for. When verbose, without what
// is printed in full elsewhere (findings.h, details.h).
void print_summary(const analyzer::DeviceResult& device, const TextStyle& style, std::ostream& out);
// The same of a range. `of` follows its name, as " of device 1"; it may be empty.
void print_summary(const analyzer::RangeResult& range, const std::string& of,
                   const TextStyle& style, std::ostream& out);

}  // namespace lapscope::reports
