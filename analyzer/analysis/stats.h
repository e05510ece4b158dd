#pragma once

#include <span>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"

namespace lapscope::analyzer {

// Returns the statistics of durations in ns. `each` must have at least one duration.
Durations durations_of(std::vector<std::int64_t> each);

// Returns how long kernels, copies and calls took, by name. Considers the requested scopes and the
// steady state of each device. For a device without any of these, considers the whole device or the
// window.
std::vector<ScopeStats> stats_of(const Context& context);

}  // namespace lapscope::analyzer
