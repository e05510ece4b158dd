#pragma once

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Says what the host did at the sites of findings about its own work, and what a scope saves where
// another thread does one of these functions: its share of the time before the calls at each line
// is taken off, in each step from which the finding's fix takes all. No more than that saves.
void name_host_work(const Sources& sources, const GraphScope& scope, const HostActivity& time,
                    CausesResult& result);

}  // namespace lapscope::analyzer
