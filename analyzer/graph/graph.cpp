#include "analyzer/graph/graph.h"

#include <algorithm>

namespace lapscope::analyzer {

const ThreadSteps& thread_of(const Graph& graph, std::uint32_t step) {
  const auto after =
      std::partition_point(graph.threads.begin(), graph.threads.end(),
                           [step](const ThreadSteps& thread) { return thread.first <= step; });
  return *std::prev(after);
}

}  // namespace lapscope::analyzer
