#pragma once

#include <functional>

#include "analyzer/explain/places.h"
#include "analyzer/graph/edits.h"

namespace lapscope::analyzer {

// The edits of a fix for a cause at some places of a program alone. `program` is what they edit.
//
// An edit belongs to the place that delays others: an edit of a copy, a kernel, or a call and what
// it issues belongs to that copy, kernel or call; an edit of an edge to what the edge leads from;
// an edit of a barrier of the default stream to the side that is in that stream.
//
// Returns nothing where none of them is at such a place.
std::optional<Edits> edits_at(const std::function<bool(const CodePlace&)>& is_wanted,
                              const Edits& edits, const Sources& program, Cause cause);

}  // namespace lapscope::analyzer
