#include "analyzer/graph/launched_graphs.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

std::uint64_t key(std::uint32_t pid, std::uint32_t stream) {
  return std::uint64_t{pid} << 32 | stream;
}

}  // namespace

LaunchedGraphs::LaunchedGraphs(const Trace& trace, const Graph& graph)
    : trace_(trace), graph_(graph) {
  if (trace.call_streams.empty()) return;
  for (std::uint32_t s = 0; s < graph.streams.size(); ++s) {
    stream_index_[key(graph.streams[s].pid, graph.streams[s].id)] = s;
  }
}

std::uint32_t LaunchedGraphs::stream_of(const Step& launch) const {
  std::uint32_t lowest = graph_.tasks[launch.first_task].stream;
  if (const CallStream* callback = stream_of_call(trace_, launch.call)) {
    const auto known = stream_index_.find(key(graph_.streams[lowest].pid, callback->stream));
    if (known != stream_index_.end()) return known->second;
  }
  for (std::uint32_t t = launch.first_task; t < launch.first_task + launch.task_count; ++t) {
    const std::uint32_t stream = graph_.tasks[t].stream;
    if (graph_.streams[stream].id < graph_.streams[lowest].id) lowest = stream;
  }
  return lowest;
}

// The least of its nodes, which no other one has; where those are not told, what the callback said,
// which counts by itself.
std::uint64_t LaunchedGraphs::executable_of(const Step& launch) const {
  std::uint64_t least = 0;
  for (std::uint32_t t = launch.first_task; t < launch.first_task + launch.task_count; ++t) {
    if (graph_.tasks[t].op == no_index) continue;
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
  std::unordered_set<std::uint64_t> passed;
  std::vector<std::uint64_t> open = dependencies(trace_.topology, node_of(task), launch.start);
  while (!open.empty()) {
    const std::uint64_t node = open.back();
    open.pop_back();
    if (!passed.insert(node).second) continue;
    if (const auto known = tasks_.find(node); known != tasks_.end()) {
      result.push_back(known->second);
    } else {
      const auto on = dependencies(trace_.topology, node, launch.start);
      open.insert(open.end(), on.begin(), on.end());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::uint64_t node_of_task(const Trace& trace, const Task& task) {
  if (task.function_node != no_index) return trace.topology.host_functions[task.function_node];
  if (task.op == no_index) return 0;
  return node_of_op(trace.devices[task.device].ops, task.op);
}

std::uint64_t LaunchedGraphs::node_of(std::uint32_t t) const {
  return node_of_task(trace_, graph_.tasks[t]);
}

}  // namespace lapscope::analyzer
