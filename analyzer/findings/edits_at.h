#pragma once

#include <functional>

#include "analyzer/explain/places.h"
#include "analyzer/graph/edits.h"

namespace lapscope::analyzer {

// The edits of a fix for a cause at some places of a program alone. `program` is what they are of.
//
// An edit belongs to the place that holds others up: that of a copy, of a kernel, of a call and
// what it issues; that of an edge to what the edge leads from, and of a barrier of the default
// stream to the side that is in it.
//
// Nothing where none of them is at such a place.
std::optional<Edits> edits_at(const std::function<bool(const CodePlace&)>& is_wanted,
                              const Edits& edits, const Sources& program, Cause cause);

}  // namespace lapscope::analyzer
