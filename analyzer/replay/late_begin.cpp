#include "analyzer/replay/late_begin.h"

#include <algorithm>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

LateBegin::LateBegin(const Graph& graph)
    : graph_(graph), first_(graph.traits.size(), latest_time), held_(graph.traits.size(), never) {
  for (const Task& task : graph.tasks) {
    if (task.op == no_index || task.step == no_index) continue;
    first_[task.device] = std::min(first_[task.device], task.start);
  }
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.start == first_[task.device] && of(t) > 0) held_[task.device] = task.start;
  }
}

std::int64_t LateBegin::held_until(std::uint32_t t) const {
  const Task& task = graph_.tasks[t];
  return task.op == no_index || task.step == no_index ? never : held_[task.device];
}

std::int64_t LateBegin::of(std::uint32_t t) const {
  const Task& task = graph_.tasks[t];
  const std::int64_t release = graph_.bindings[t].release;
  if (!rule::late_begin) return 0;
  if (task.op == no_index || task.step == no_index || release == never) return 0;
  const std::int64_t first = first_[task.device];
  if (release >= first) return 0;
  // Of all that was held up the delay ends when the device begins; what is longer is another one's.
  const std::int64_t delay =
      std::min(task.start - release - assumed::longest_latency, first - release);
  return std::max<std::int64_t>(0, delay);
}

}  // namespace lapscope::analyzer
