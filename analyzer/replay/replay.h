#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The times of the tasks and steps of a graph in a replay.
struct Replayed : Times {
  // The number of tasks that nothing released. These tasks have their recorded times. Above 0 only
  // if the graph is wrong.
  std::int64_t stuck = 0;
  // The names of the assumptions that were used: Parameters::stand_ins, and assumptions for
  // latencies of which the trace has no example.
  std::set<std::string_view> stand_ins;
  // Whether the times depend on MachineParameters::sharing: how much kernels share when they run
  // side by side. The trace does not show this. If true, a replay with the other value may give
  // other times.
  bool is_in_doubt = false;
  // The time in ns in which kernels ran side by side with unknown sharing.
  Ns in_doubt_ns = 0;
  // The last wave of a kernel may leave room to kernels that wait for this kernel. `last_waves_ns`
  // is the sum of this room, in ns of work. If the sum is above 0, the times depend on whether last
  // waves leave room.
  Ns last_waves_ns = 0;
};

// Simulates a run of a graph. Threads make their calls one after the other and wait where they
// waited in the recording. A task is released when its edges and its engine allow it, and starts
// after its recorded latency. A graph that was not changed gets the recorded times. If nothing
// explains a delay of a task, the task has the same delay in each replay.
//
// docs/model.md describes the model and its limits.
//
// The time is proportional to n log(tasks in flight) for n tasks and calls. The memory is about 50
// bytes for each task and 60 bytes for each call.
Replayed replay(const Graph& graph);

// Like replay(), without the times of the steps.
Replayed replay_tasks(const Graph& graph);

// Returns the graph of a run with the times of a replay. Its causes are the delays of tasks in the
// replay. If the replay applied a fix, these causes are the next bottleneck. The graph does not
// contain what the fix removed.
Graph rebased(Graph graph, const Times& times);

}  // namespace lapscope::analyzer
