#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/graph/program.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Returns the id of a task's CUDA graph node; 0 when the id is not known.
std::uint64_t node_of_task(const Trace& trace, const Task& task);

// Visits the nodes that a node depends on, directly or indirectly. Goes no further at a node for
// which stops(node) returns true. `launched` is the time of the graph launch, because dependencies
// can change between launches.
template <class Stops>
void go_back(const Topology& topology, std::uint64_t node, Ns launched, Stops&& stops) {
  std::unordered_set<std::uint64_t> passed;
  std::vector<std::uint64_t> open = dependencies(topology, node, launched);
  while (!open.empty()) {
    const std::uint64_t on = open.back();
    open.pop_back();
    if (!passed.insert(on).second || stops(on)) continue;
    const auto further = dependencies(topology, on, launched);
    open.insert(open.end(), further.begin(), further.end());
  }
}

// Finds the streams, executable graphs and dependencies of recorded graph launches.
class LaunchedGraphs {
 public:
  LaunchedGraphs(const Trace& trace, const Issued& program)
      : trace_(trace), program_(program), by_id_(program.streams) {}

  // Returns the stream in which a launch was enqueued. If the trace does not show it, returns the
  // stream with the lowest id among the launch's tasks. Branches of a graph run in internal
  // streams, which usually have higher ids than the program's streams.
  std::uint32_t stream_of(const Step& launch) const;

  // Returns a number that identifies the launched executable graph within its process; 0 if the
  // graph is not known.
  std::uint64_t executable_of(const Step& launch) const;

  // Whether all dependencies among a launch's tasks are known.
  bool is_known(const Step& launch) const;

  // Returns the tasks of `launch` that `task` waits for, directly or through nodes that are not
  // tasks, such as empty nodes. `task` belongs to `launch`. The result is empty if the graph begins
  // with `task`. Requires is_known(launch).
  std::vector<std::uint32_t> before(const Step& launch, std::uint32_t task);

 private:
  std::uint64_t node_of(std::uint32_t task) const;  // 0 when not known

  const Trace& trace_;
  const Issued& program_;
  const StreamIndex by_id_;
  std::uint32_t seen_ = no_index;                           // first task of the launch in tasks_
  std::unordered_map<std::uint64_t, std::uint32_t> tasks_;  // of that launch, by node
};

// Returns the stream of each task. Nodes of a graph launch belong to the stream of the launch.
std::vector<std::uint32_t> streams_counted_in(const Trace& trace, const Issued& program);

}  // namespace lapscope::analyzer
