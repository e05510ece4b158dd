#pragma once

#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Returns the advice for a scope. Usual steps are to page-lock memory, to cut the data in tiles,
// and to give communication its own stream. If the program has not taken such a step, the advice
// names it. If an engine or the host is the bound, the advice says why more streams cannot help.
// Advice never repeats a finding. `result` must already have everything except the advice.
std::vector<Advice> advice_for(const Sources& sources, const GraphScope& scope,
                               const CausesResult& result);

}  // namespace lapscope::analyzer
