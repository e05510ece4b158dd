#pragma once

#include <functional>

#include "analyzer/findings/places.h"

namespace lapscope::analyzer {

// What a fix does at some places of a program only: takes back what it changed elsewhere. `before`
// is the graph that it was made on, `after` the same with the fix.
//
// A change belongs to the place that holds others up: that of a copy, of a kernel, of a call and
// what it issues; that of an edge to what the edge leads from, and of a barrier of the default
// stream to the side that is in it.
//
// Returns whether anything is left. Gives `after` back as `before` where the fix made or removed
// tasks, which no place can be told of.
bool keep_at(const Sources& before, Cause cause,
             const std::function<bool(const CodePlace&)>& is_wanted, Graph& after);

}  // namespace lapscope::analyzer
