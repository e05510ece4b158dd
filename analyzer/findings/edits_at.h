#pragma once

#include <functional>

#include "analyzer/explain/places.h"
#include "analyzer/graph/edits.h"

namespace lapscope::analyzer {

// Returns the edits of a fix for `cause` that are at requested places; nullopt if there are none.
// `program` is the program that the fix edits.
//
// An edit belongs to the place that delays other work:
// - An edit of a copy or kernel belongs to that copy or kernel, and to the call that issued it.
// - An edit of a call belongs to that call, and to the ops that it issued.
// - An edit of an edge belongs to the task at which the edge begins, and to the calls that issued
//   the two tasks of the edge. If to_change() returns the task at which the edge ends, the edit
//   belongs only to this task.
// - An edit of a default-stream barrier belongs only to the task in the default stream.
std::optional<Edits> edits_at(const std::function<bool(const CodePlace&)>& is_wanted,
                              const Edits& edits, const Sources& program, Cause cause);

}  // namespace lapscope::analyzer
