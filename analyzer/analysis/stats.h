#pragma once

#include <span>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"

namespace lapscope::analyzer {

// How long these took, in ns: of some ops or calls of one name. Requires at least one.
Durations durations_of(std::vector<std::int64_t> each);

// How long kernels, copies and calls took, by name, in the scopes that stand for their devices:
// what was asked for, the steady state, else the whole or the window.
std::vector<ScopeStats> stats_of(const Context& context);

}  // namespace lapscope::analyzer
