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
  // The number of tasks that were never released. They have their recorded times. Above 0 only if
  // the graph is wrong.
  std::int64_t stuck = 0;
  // The names of the assumptions that were used: Parameters::stand_ins.
  std::set<std::string_view> stand_ins;
  // Whether the times depend on how much kernels slow each other down, and the trace does not show
  // this. A replay with the other value of Sharing may give other times.
  bool is_in_doubt = false;
  // The time in ns in which kernels slowed each other down by an unknown amount.
  Ns in_doubt_ns = 0;
  // The room that kernels in their last wave may leave to waiting kernels, in ns of work. If it is
  // above 0, the times depend on how much of this room the waiting kernels get.
  Ns last_waves_ns = 0;
};

// Simulates a run of a graph. Threads make their calls one after the other, and wait where they
// waited in the recording. A task is released when its edges and its engine allow it. It starts
// after its latency (GraphDelays). The replay keeps unexplained delays. A replay of the recorded
// graph without edits gives the recorded times.
//
// docs/model.md describes the model and its limits.
//
// For n tasks and calls, takes time proportional to n × log(tasks in flight). Takes about 50 bytes
// of memory for each task, and 60 bytes for each call.
Replayed replay(const Graph& graph);

// Returns the same as replay(), but without the times of the steps.
Replayed replay_tasks(const Graph& graph);

// Returns the graph with the times of a replay, and with the causes of the delays in this replay.
// After a fix, these causes show the next bottleneck. `graph` must already have the edits of the
// fix.
Graph rebased(Graph graph, const Times& times);

}  // namespace lapscope::analyzer
