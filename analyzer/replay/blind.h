#pragma once

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// Returns a graph in which each recorded latency is replaced by the median of the other latencies
// of its class. Latencies are the duration of a call, and the time from the release of an op to its
// start.
//
// A replay with the recorded latencies gives the recorded times by construction. The error of a
// replay of this graph shows the error of the model for latencies that were not recorded.
//
//   recorded  thread 1  aabbccccdd....      launches take 2, c takes 4; each op starts 2 after
//             stream 1  ..AABB.CCCCDD       its launch began
//   blind     thread 1  aabbccdd....        c takes the median of a, b and d
//
// The class of a kernel is its engine, name and launch geometry. The class of a copy is its engine,
// and its size as a power of two. For the time from release to start, the class also includes the
// cause of the delay. The class of a call is its function, whether it loaded code, its number of
// ops, and the class of its first op.
//
// If a class has no other members, a wider class is used. For an op, the wider classes are, in this
// order: ops with the same cause of delay and engine, ops with the same cause, ops with the same
// engine, all ops. For a call, the wider class is its function. Calls that loaded code have a class
// of their own.
//
// Two kinds of calls keep their recorded times, because they may create and load things that later
// calls use:
// - the first call of each function in a process,
// - the calls of a thread before its first call that issues work.
//
// The times of these calls are not used for other calls. Everything else in the graph is as
// recorded, such as the order of calls and the time between calls.
Graph blind(const Trace& trace, Graph graph);

}  // namespace lapscope::analyzer
