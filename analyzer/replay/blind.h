#pragma once

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// The graph of a run that nobody has seen, except for what it does: how long each call takes, and
// how long each op is on its way from its release to its start, is taken from the others of its
// class. The error of its replay is what the model misses where it cannot look: a replay that puts
// back what each op was seen to take comes out right by construction.
//
//   recorded  thread 1  aabbccccdd....      launches take 2, but for one, and ops start 2 after
//             stream 1  ..AABB.CCCCDD       theirs began
//   blind     thread 1  aabbccdd....        c takes what a, b and d take in the middle
//
// The class of an op is its engine and its kernel with the grid, or the size of the copy as a power
// of two. The class of a call is its function and the class of what it issues. The median of the
// others of a class counts. Where there are none, the median of a wider class counts: what was
// waited for on that engine, what was waited for, the engine, and all. The first call of a function
// in a process, which may make and load what the others find, keeps its own time, and counts for no
// other.
//
// Still known are: which ops and calls there are and in what order, what an op takes when its
// engine is its own, and the time between calls.
Graph blind(const Trace& trace, Graph graph);

}  // namespace lapscope::analyzer
