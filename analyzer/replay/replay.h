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
  // Tasks that were never released have their recorded times. Above 0 only if the graph is wrong.
  std::int64_t stuck = 0;
  // The names of the assumptions that were used: Parameters::stand_ins.
  std::set<std::string_view> stand_ins;
  // Whether the times depend on MachineParameters::sharing, which the trace does not show. A replay
  // with the other value of Sharing may give other times.
  bool is_in_doubt = false;
  // The time in ns in which kernels ran side by side with unknown sharing.
  Ns in_doubt_ns = 0;
  // The room, in ns of work, that waiting kernels might get from last waves of other kernels. If
  // above 0, the times depend on it.
  Ns last_waves_ns = 0;
};

// Simulates a run of a graph. Threads make their calls one after the other, and wait where they
// waited in the recording. A task is released when its edges and its engine allow it, and starts
// after its recorded latency. Unexplained delays stay. An unchanged graph gets the recorded times.
//
// docs/model.md describes the model and its limits.
//
// Takes time n log(tasks in flight) for n tasks and calls, and about 50 bytes for each task and 60
// bytes for each call.
Replayed replay(const Graph& graph);

// Like replay(), without the times of the steps.
Replayed replay_tasks(const Graph& graph);

// Returns the graph of a run with the times of a replay, and with the causes of delays in it. After
// a fix, these are the next bottleneck. The graph lacks what the fix removed.
Graph rebased(Graph graph, const Times& times);

}  // namespace lapscope::analyzer
