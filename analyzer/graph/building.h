#pragma once

#include "analyzer/graph/constraint.h"
#include "analyzer/graph/graph.h"

// The stages in which a graph is built, in this order. Each fills the members that it names and
// relies on those before.
namespace lapscope::analyzer {

// Graph::streams, with those that have no tasks in the stretch.
void collect_streams(const Trace& trace, Graph& graph);

// Graph::steps, threads, begin: the outermost calls of all threads.
void collect_steps(const Trace& trace, Interval issued, Graph& graph);

// From the return of a host function to the start of the task behind it, in ns.
inline constexpr std::int64_t function_to_task = 5'000;

// Adds to Graph::tasks, which are in no order yet, the host functions in graphs that were launched.
// Of those that nothing in their graph follows the end is not told: latest_time. Of several that
// start and end together Task::issue_offset counts up in the order of the graph.
void collect_graph_functions(const Trace& trace, Graph& graph);

// Task::start, end and work of host functions.
void time_host_functions(const Trace& trace, Graph& graph);

// Graph::tasks, uses; and of the steps what they issue. Host functions are there without times.
void collect_tasks(const Trace& trace, Interval issued, const std::vector<bool>& communication,
                   Graph& graph);

// Graph::edges as found, waits; and of the steps what they wait for, their cause, busy and tail.
void collect_constraints(const Trace& trace, Graph& graph);

// Graph::traits, Task::work; and takes Task::geometry from kernels that cannot have run together.
void measure_engines(const Trace& trace, Graph& graph);

// Graph::ranks, collectives; Task::rank, and Task::work of theirs.
void collect_collectives(const Trace& trace, Graph& graph);

// Graph::bindings, latencies, crowded, kept_out; of kernels, what they take with all their room,
// and how long before their ends they let others in.
void find_bindings(Graph& graph);

}  // namespace lapscope::analyzer
