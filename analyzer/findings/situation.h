#pragma once

#include "analyzer/explain/held_tasks.h"
#include "analyzer/fixes/tiles.h"

namespace lapscope::analyzer {

Situation situation_of(const Sources& sources, const GraphScope& scope, Cause cause,
                       const Held& held, const Tiles& tiles, const CausesResult& result);

}  // namespace lapscope::analyzer
