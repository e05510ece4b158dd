#include "analyzer/graph/launched_graphs.h"

#include <algorithm>

namespace lapscope::analyzer {

std::uint32_t LaunchedGraphs::stream_of(const Step& launch) const {
  std::uint32_t lowest = program_.tasks[launch.first_task].stream;
  if (const CallStream* callback = stream_of_call(trace_, launch.call)) {
    const std::uint32_t known = by_id_.of(program_.streams[lowest].pid, callback->stream);
    if (known != no_index) return known;
  }
  for (std::uint32_t t = launch.first_task; t < launch.first_task + launch.task_count; ++t) {
    const std::uint32_t stream = program_.tasks[t].stream;
    if (program_.streams[stream].id < program_.streams[lowest].id) lowest = stream;
  }
  return lowest;
}

// The number of an executable graph is the smallest id of its nodes, because executable graphs do
// not share nodes. If the nodes are not known, it is the number that the callback reported, with
// the highest bit set.
std::uint64_t LaunchedGraphs::executable_of(const Step& launch) const {
  std::uint64_t least = 0;
  for (std::uint32_t t = launch.first_task; t < launch.first_task + launch.task_count; ++t) {
    if (program_.tasks[t].op == no_index) continue;
    const std::uint64_t node = node_of(t);
    if (node == 0) {
      const CallStream* callback = stream_of_call(trace_, launch.call);
      if (!callback || !callback->graph) return 0;
      constexpr std::uint64_t by_callback = std::uint64_t{1} << 63;
      return by_callback | static_cast<std::uint64_t>(*callback->graph);
    }
    least = least == 0 ? node : std::min(least, node);
  }
  return least;
}

bool LaunchedGraphs::is_known(const Step& launch) const {
  const auto& nodes = trace_.topology.nodes;
  if (nodes.empty()) return false;
  for (std::uint32_t t = launch.first_task; t < launch.first_task + launch.task_count; ++t) {
    if (!std::binary_search(nodes.begin(), nodes.end(), node_of(t))) return false;
  }
  return true;
}

std::vector<std::uint32_t> LaunchedGraphs::before(const Step& launch, std::uint32_t task) {
  if (seen_ != launch.first_task) {
    seen_ = launch.first_task;
    tasks_.clear();
    for (std::uint32_t t = launch.first_task; t < launch.first_task + launch.task_count; ++t) {
      tasks_[node_of(t)] = t;
    }
  }
  std::vector<std::uint32_t> result;
  const Ns launched = trace_.calls.start[launch.call];
  go_back(trace_.topology, node_of(task), launched, [&](std::uint64_t node) {
    const auto known = tasks_.find(node);
    if (known == tasks_.end()) return false;
    result.push_back(known->second);
    return true;
  });
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::uint32_t> streams_counted_in(const Trace& trace, const Issued& program) {
  const LaunchedGraphs launches(trace, program);
  std::vector<std::uint32_t> streams;
  streams.reserve(program.tasks.size());
  for (const Task& task : program.tasks) streams.push_back(task.stream);
  for (const Step& step : program.steps) {
    if (!step.is_graph_launch || step.task_count == 0) continue;
    std::fill_n(streams.begin() + step.first_task, step.task_count, launches.stream_of(step));
  }
  return streams;
}

std::uint64_t node_of_task(const Trace& trace, const Task& task) {
  if (task.function_node != no_index) return trace.topology.host_functions[task.function_node];
  if (task.op == no_index) return 0;
  return node_of_op(trace.devices[task.device].ops, task.op);
}

std::uint64_t LaunchedGraphs::node_of(std::uint32_t t) const {
  return node_of_task(trace_, program_.tasks[t]);
}

}  // namespace lapscope::analyzer
