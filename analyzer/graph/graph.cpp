#include "analyzer/graph/graph.h"

#include <algorithm>

namespace lapscope::analyzer {

const ThreadSteps& thread_of(const Graph& graph, std::uint32_t step) {
  const auto after =
      std::partition_point(graph.threads.begin(), graph.threads.end(),
                           [step](const ThreadSteps& thread) { return thread.first <= step; });
  return *std::prev(after);
}

// Branches of a graph run in internal streams, which CUDA makes when they are needed: later than
// the stream that the graph was launched to, as a rule.
std::uint32_t stream_of_launch(const Graph& graph, const Step& launch) {
  std::uint32_t stream = graph.tasks[launch.first_task].stream;
  for (std::uint32_t t = launch.first_task; t < launch.first_task + launch.task_count; ++t) {
    if (graph.streams[graph.tasks[t].stream].id < graph.streams[stream].id) {
      stream = graph.tasks[t].stream;
    }
  }
  return stream;
}

}  // namespace lapscope::analyzer
