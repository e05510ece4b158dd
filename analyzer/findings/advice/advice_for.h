#pragma once

#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Returns the advice for a scope, besides its findings. The usual steps are to page-lock memory, to
// cut the data in tiles, or to give communication its own stream. If the trace shows that the
// program has not taken a usual step, the advice names this step. If an engine or the host is the
// bound, the advice says what streams cannot change. No advice repeats a finding. Requires that
// `result` already has everything except the advice.
std::vector<Advice> advice_for(const Sources& sources, const GraphScope& scope,
                               const CausesResult& result);

}  // namespace lapscope::analyzer
