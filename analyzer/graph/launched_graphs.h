#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/graph/program.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The node of a CUDA graph that a task is; 0 when not known.
std::uint64_t node_of_task(const Trace& trace, const Task& task);

// Goes back from a node of a graph that was launched at a time, to what it depends on and further,
// until `stops` at one.
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

// What the trace has of graphs that were launched, beyond their tasks' times.
class LaunchedGraphs {
 public:
  LaunchedGraphs(const Trace& trace, const Issued& program)
      : trace_(trace), program_(program), by_id_(program.streams) {}

  // The stream that a launch was enqueued in. Where the trace does not have it, the lowest stream
  // is taken: branches of a graph run in internal streams, which CUDA makes when they are needed,
  // later than the stream of the launch as a rule.
  std::uint32_t stream_of(const Step& launch) const;

  // A number for the executable graph that was launched, which no other one of its process has; 0
  // when not known.
  std::uint64_t executable_of(const Step& launch) const;

  // Whether all dependences among a launch's tasks are known.
  bool is_known(const Step& launch) const;

  // The tasks of a launch that a task of it has to wait for, directly or by way of nodes that are
  // no tasks, as empty ones; none for one that the graph begins with. `launch` must be known.
  std::vector<std::uint32_t> before(const Step& launch, std::uint32_t task);

 private:
  std::uint64_t node_of(std::uint32_t task) const;  // 0 when not known

  const Trace& trace_;
  const Issued& program_;
  const StreamIndex by_id_;
  std::uint32_t seen_ = no_index;                           // the first task of the launch
  std::unordered_map<std::uint64_t, std::uint32_t> tasks_;  // that it made of nodes
};

// By task, the stream that it counts in: nodes of a graph launch count in the stream of the launch.
std::vector<std::uint32_t> streams_counted_in(const Trace& trace, const Issued& program);

}  // namespace lapscope::analyzer
