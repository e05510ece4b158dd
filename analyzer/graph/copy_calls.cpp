#include "analyzer/graph/copy_calls.h"

#include "analyzer/graph/context_waits.h"

namespace lapscope::analyzer {

bool is_copy(const CallContext& context, std::uint32_t step) {
  const CallKind kind = kind_of(context, step);
  return kind == CallKind::copy_blocking || kind == CallKind::copy_async;
}

bool copies_pageable(const CallContext& context, std::uint32_t step) {
  const Step& call = context.graph.steps[step];
  for (std::uint32_t t = call.first_task; t < call.first_task + call.task_count; ++t) {
    const Task& task = context.graph.tasks[t];
    if (task.op == no_index) continue;
    const std::uint8_t memory = context.trace.devices[task.device].ops.memory[task.op];
    if ((memory & (source_pageable | target_pageable)) != 0) return true;
  }
  return false;
}

std::vector<std::uint32_t> copies_ended(const CallContext& context, std::uint32_t step) {
  const Step& call = context.graph.steps[step];
  std::vector<std::uint32_t> ended;
  for (std::uint32_t t = call.first_task; t < call.first_task + call.task_count; ++t) {
    if (!ended_after(context.graph, step, t)) ended.push_back(t);
  }
  return ended;
}

std::vector<std::uint32_t> ends_of_copy_call(const CallContext& context, std::uint32_t step) {
  std::vector<std::uint32_t> tasks = copies_ended(context, step);
  const Step& call = context.graph.steps[step];
  if (!tasks.empty() || call.task_count == 0) return tasks;
  const std::uint32_t before = context.before[call.first_task];
  if (before != no_index && ended_within(context.graph, step, before)) tasks.push_back(before);
  return tasks;
}

}  // namespace lapscope::analyzer
