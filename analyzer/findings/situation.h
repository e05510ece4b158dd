#pragma once

#include "analyzer/findings/held_tasks.h"

namespace lapscope::analyzer {

// What advice depends on: steps that a program has taken already, or that do not concern it.
struct Situation {
  bool communicates = false;  // kernels of collectives are among the ops, or held each other up
  bool goes_first = false;    // who waited for room has a stream of higher priority already
  bool copies_block = false;  // pageable copies are made by calls that wait for them on purpose
  bool link_bound = false;    // a copy engine is busy nearly all of the time
};

Situation situation_of(const Sources& sources, const GraphScope& scope, Cause cause,
                       const Held& held, const CausesResult& result);

}  // namespace lapscope::analyzer
