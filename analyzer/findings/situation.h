#pragma once

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/independence/independence.h"

namespace lapscope::analyzer {

Situation situation_of(const Sources& sources, const GraphScope& scope, Cause cause,
                       const BlockedTasks& blocked, const Independence& independence,
                       const CausesResult& result);

}  // namespace lapscope::analyzer
