#include "analyzer/findings/scoped.h"

#include <algorithm>

namespace lapscope::analyzer {

Scoped scoped(const Graph& graph, std::uint16_t device, const Scope& scope) {
  Scoped result{device, scope.window, {}};
  std::vector<bool> is_in_scope;
  for (std::size_t i = 0; i < scope.ops.size(); ++i) {
    const std::uint32_t op = scope.ops[i];
    if (op >= is_in_scope.size()) is_in_scope.resize(op + 1);
    is_in_scope[op] = true;
  }
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.device != device || task.op >= is_in_scope.size() || !is_in_scope[task.op]) continue;
    result.tasks.push_back(t);
  }
  return result;
}

Interval window_of(const Scoped& scope, const Replayed& replayed) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = never;
  for (const std::uint32_t t : scope.tasks) {
    first = std::min(first, replayed.start[t]);
    last = std::max(last, replayed.end[t]);
  }
  return scope.tasks.empty() ? Interval{} : Interval{first, last};
}

std::int64_t wall_of(const Scoped& scope, const Replayed& replayed) {
  const Interval window = window_of(scope, replayed);
  return window.end - window.start;
}

std::int64_t sum_of(const Scoped& scope, const Replayed& replayed) {
  std::int64_t sum = 0;
  for (const std::uint32_t t : scope.tasks) sum += replayed.end[t] - replayed.start[t];
  return sum;
}

}  // namespace lapscope::analyzer
