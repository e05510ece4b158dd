#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/measures/activity.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// The tasks of one device that a scope is about, and its window.
//
// Where the window was asked for, tasks may reach over its borders, and it may begin or end with
// idle time. A task then counts with the same part of it, however long it takes in a replay, and
// idle time at the borders stays as it was: what ended it may have been before.
struct GraphScope {
  std::uint16_t device = 0;  // in Trace::devices
  Interval window;
  std::vector<std::uint32_t> tasks;  // in Issued::tasks

  // What is outside of the window, as parts of a task's length.
  struct Cut {
    std::size_t task = 0;  // in `tasks`
    double before = 0;
    double after = 0;
  };
  std::vector<Cut> cuts;        // ascending
  Ns lead = 0;                  // idle time at the beginning
  Ns trail = 0;                 // and at the end
  bool leaves_out_ops = false;  // the device runs others in the window, too
};

GraphScope graph_scope(const Graph& graph, std::uint16_t device, const Scope& scope);

// The scope's window in a replay: from the first start of its tasks to their last end, but for
// what is said above.
Interval window_of(const GraphScope& scope, const Times& times);

// Where each of its tasks lies in a replay, as far as it is inside.
std::vector<Interval> intervals_of(const GraphScope& scope, const Times& times);

Ns wall_of(const GraphScope& scope, const Times& times);
// What the scope takes in a replay of the unchanged graph, and in a blind one.
ReplayResult replay_result(const GraphScope& scope, const Times& unchanged, const Times& blind);
// The sum of the durations of its tasks, as far as they are inside.
Ns sum_of(const GraphScope& scope, const Times& times);

// The engine that works most of a time, and its share of that.
struct BusiestEngine {
  Engine engine = Engine::compute;
  Share share = 0;
};
// `intervals` are those of the scope's tasks.
BusiestEngine busiest_engine(const Graph& graph, const GraphScope& scope,
                             const std::vector<Interval>& intervals, Ns wall_ns);

// The activity of a scope in a replay of a graph, on the engines that the graph has its tasks on:
// measures of a predicted run are taken from it. Given the times of the trace itself, and a graph
// that was not changed, it is the activity of the scope as it was recorded.
//
// Shapes of kernels are the recorded ones, also where a fix gave them fewer blocks.
Activity replayed_activity(const Device& device, const std::vector<bool>& communication,
                           const Graph& graph, const GraphScope& scope, const Times& times);

}  // namespace lapscope::analyzer
