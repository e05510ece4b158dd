#pragma once

#include "analyzer/explain/held_tasks.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/independence/independence.h"

namespace lapscope::analyzer {

Situation situation_of(const Sources& sources, const GraphScope& scope, Cause cause,
                       const Held& held, const Independence& independence,
                       const CausesResult& result);

}  // namespace lapscope::analyzer
