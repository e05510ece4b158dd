#pragma once

#include <algorithm>
#include <optional>

#include "analyzer/graph/constraint.h"
#include "analyzer/graph/graph.h"

// The stages in which a graph is built, in this order, once it has its streams. Each fills the
// members that it names and relies on those before.
namespace lapscope::analyzer {

// The median of what a trace shows of something; empty where it has too few examples.
template <class Number>
std::optional<Number> typical_of(std::vector<Number>& examples,
                                 std::size_t enough = assumed::enough_examples) {
  if (examples.size() < enough) return std::nullopt;
  const auto middle = examples.begin() + static_cast<std::ptrdiff_t>(examples.size() / 2);
  std::nth_element(examples.begin(), middle, examples.end());
  return *middle;
}

// Graph::steps, threads, begin: the outermost calls of all threads.
void collect_steps(const Trace& trace, Interval issued, Graph& graph);

// Adds to Graph::tasks, which are in no order yet, the host functions in graphs that were launched.
// Of those that nothing in their graph follows the end is not told: latest_time. Of several that
// start and end together Task::issue_offset counts up in the order of the graph.
void collect_graph_functions(const Trace& trace, Graph& graph);

// Task::start, end and work of host functions.
void time_host_functions(const Trace& trace, Graph& graph);

// Graph::tasks, uses; and of the steps what they issue. Host functions are there without times.
void collect_tasks(const Trace& trace, Interval issued, const std::vector<bool>& communication,
                   Graph& graph);

// Graph::edges as found, waits, quick_call; and of the steps what they wait for, their cause, busy
// and tail.
void collect_constraints(const Trace& trace, Graph& graph);

// Of steps ahead of which their thread seems to have waited for another one: after, after_gap,
// after_kind, and of gap what the thread did before.
void collect_turns(const Trace& trace, Graph& graph);

// Graph::traits, Task::work; and takes Task::geometry from kernels that cannot have run together.
void measure_engines(const Trace& trace, Graph& graph);

// Graph::ranks, collectives; Task::rank, and Task::work of theirs.
void collect_collectives(const Trace& trace, Graph& graph);

// Graph::demands, and of kernels Task::kernel_class and work, at the least that they may share.
// After Graph::bindings, which tell how long kernels had all their room.
void find_demands(const Trace& trace, const std::vector<bool>& communication, Graph& graph);

// Graph::bindings, latencies, crowded; of kernels, what they take with all their room,
// and how long before their ends they let others in.
void find_bindings(Graph& graph);

}  // namespace lapscope::analyzer
