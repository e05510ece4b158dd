#pragma once

#include <ostream>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// Every table of a device: measures with their definitions, states, gaps, engines, streams, and
// what else was asked for.
void print_details(const analyzer::DeviceResult& device, std::ostream& out);

// The measures, states and gaps of a scope.
void print_details(const analyzer::ScopeResult& scope, std::ostream& out);

}  // namespace lapscope::reports
