#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// Returns two flame graphs of the host's time between its calls. The first shows all of this time.
// The second shows only the part in which the device waited for the host. The graphs need no
// scripts. A function is as wide as the total time of all stacks with this function and these
// callers. The outermost functions are at the top. The result is empty if no threads were sampled.
std::string flame_graphs(const analyzer::ScopeResult& scope);

}  // namespace lapscope::reports
