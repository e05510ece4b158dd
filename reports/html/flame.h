#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// What the host did between its calls as flame graphs that need no script: one of all of the time,
// and one of the time for which the device waited. A function is as wide as the time of the stacks
// that have it there; the outermost ones are at the top. Empty if no threads were sampled.
std::string flame_graphs(const analyzer::ScopeResult& scope);

}  // namespace lapscope::reports
