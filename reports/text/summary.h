#pragma once

#include <ostream>

#include "analyzer/analysis/report.h"
#include "reports/text/style.h"

namespace lapscope::reports {

// A device on one screen: the verdict, a strip over time for each engine, the figures that matter,
// what stops the rest, what to do first, and what the device waited for.
void print_summary(const analyzer::DeviceResult& device, const TextStyle& style, std::ostream& out);

}  // namespace lapscope::reports
