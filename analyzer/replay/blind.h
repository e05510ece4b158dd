#pragma once

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// Returns a graph in which recorded latencies are replaced by latencies of similar calls and ops.
// Latencies are the duration of a call, and the time from the release of an op to its start. The
// new value is the median of the other members of its class.
//
// A replay with the recorded latencies is right by construction. A replay of this graph uses
// predicted latencies. Its error therefore shows the error of the model for latencies that were not
// recorded.
//
//   recorded  thread 1  aabbccccdd....      launches take 2, c takes 4; each op starts 2 after
//             stream 1  ..AABB.CCCCDD       its launch began
//   blind     thread 1  aabbccdd....        c takes the median of a, b and d
//
// The class of a kernel is its engine, its name and its grid. The class of a copy is its engine and
// its size as a power of two. For the time from release to start, the class also includes the cause
// of the delay. The class of a call has four parts: its function, whether it loaded code, its
// number of ops, and the class of its first op. If a class has no other members, a wider class is
// used. The wider classes of an op have ops with the same cause of delay and engine, then with the
// same cause, then with the same engine, then all ops. The wider class of a call has all calls of
// its function. Calls that loaded code have a wider class of their own.
//
// Some calls keep their recorded times. These are the first call of each function in a process, and
// the calls of a thread before it issues work. They may create and load things that later calls
// use. No other call gets their times.
//
// Everything else in the graph is as recorded. Examples are the order of calls, the time between
// calls, and the time that an op takes alone on its engine.
Graph blind(const Trace& trace, Graph graph);

}  // namespace lapscope::analyzer
