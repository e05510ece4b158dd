#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/measures/activity.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// The part of a scope on one device: its tasks and its window.
//
// If the user chose the window, a task may cross its border. In this case, the window of a replay
// contains the same fraction of this task as the recorded window. Idle time at the begin and at the
// end of the window stays as recorded, because the op that ended it may lie outside the window.
struct GraphScope {
  std::uint16_t device = 0;  // in Trace::devices
  Interval window;
  std::vector<std::uint32_t> tasks;  // in Issued::tasks

  // The parts of a task that lie before and after the window, as fractions of the task's length.
  struct Cut {
    std::size_t task = 0;  // in `tasks`
    double before = 0;
    double after = 0;
  };
  std::vector<Cut> cuts;        // ascending
  Ns lead = 0;                  // idle time at the beginning
  Ns trail = 0;                 // idle time at the end
  bool leaves_out_ops = false;  // the device also runs ops outside the scope in the window
};

GraphScope graph_scope(const Graph& graph, std::uint16_t device, const Scope& scope);

// Returns the scope's window in a replay: from the first start to the last end of its tasks
// (without `cuts`), extended by `lead` and `trail`.
Interval window_of(const GraphScope& scope, const Times& times);

Ns wall_of(const GraphScope& scope, const Times& times);
// Returns the scope's wall times in a replay of the unchanged graph and in a blind replay, and the
// errors of both.
ReplayResult replay_result(const GraphScope& scope, const Times& unchanged, const Times& blind);
// Returns the sum of the durations of the scope's tasks, without the parts outside the window.
Ns sum_of(const GraphScope& scope, const Times& times);

// Returns the activity of a scope in a replay, for measures of the predicted run. Each task is on
// its engine in `graph`. Kernels keep their recorded shapes, even if a fix gave them fewer blocks.
// With the unchanged graph and the times of the trace, this is the recorded activity.
Activity replayed_activity(const Device& device, const std::vector<bool>& communication,
                           const Graph& graph, const GraphScope& scope, const Times& times);

}  // namespace lapscope::analyzer
