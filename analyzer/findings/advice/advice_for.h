#pragma once

#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Returns the advice for a scope. The advice names usual steps that the program has not taken, such
// as page-locked memory. If an engine or the host is the bound, the advice states why more streams
// cannot help. It never repeats a finding. `result` must already have everything except the advice.
std::vector<Advice> advice_for(const Sources& sources, const GraphScope& scope,
                               const CausesResult& result);

}  // namespace lapscope::analyzer
