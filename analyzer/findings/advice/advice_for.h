#pragma once

#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// What there is to do besides the findings of a scope: the steps of the usual way (page-lock
// memory, cut the data in tiles, give communication a stream, a priority and room) that the trace
// shows not to be taken, and, where an engine or the host is the bound, what streams cannot change.
// Nothing that a finding is about. `result` has everything else.
std::vector<Advice> advice_for(const Sources& sources, const GraphScope& scope,
                               const CausesResult& result);

}  // namespace lapscope::analyzer
