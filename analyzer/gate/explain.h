#pragma once

#include <vector>

#include "analyzer/gate/judgement.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// What most explains that the scope is as it is: findings, by what they would save; without any,
// what kept the device idle.
std::vector<Explanation> explain(const ScopeSummary& scope);

// Findings of one cause only; without any, what its fix would save.
std::vector<Explanation> explain(const ScopeSummary& scope, Cause cause);

}  // namespace lapscope::analyzer
