#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// Returns two flame graphs of the host's time between its calls. The first shows all of this time.
// The second shows only the part on the critical path. The graphs need no scripts. The width of a
// function shows the total time of all stacks in which it has the same callers. The outermost
// functions are at the top. The result is empty if no threads were sampled.
std::string flame_graphs(const analyzer::ScopeResult& scope);

}  // namespace lapscope::reports
