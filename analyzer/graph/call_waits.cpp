#include "analyzer/graph/call_waits.h"

#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

class HiddenWait : public CallConstraint {
 public:
  HiddenWait(const ConstraintContext& context, CallKind kind, ContextWaits::Evidence evidence)
      : CallConstraint(context), contexts_(context), kind_(kind), evidence_(evidence) {}

  std::optional<std::vector<std::uint32_t>> waited_for(const Walk& walk,
                                                       std::uint32_t step) override {
    if (kind_of(context_, step) != kind_) return std::nullopt;
    return contexts_.of_hidden_wait(walk, step, evidence_);
  }

 private:
  ContextWaits contexts_;
  CallKind kind_;
  ContextWaits::Evidence evidence_;
};

}  // namespace

CallKind kind_of(const ConstraintContext& context, std::uint32_t step) {
  return context.trace.calls.kind[context.program.steps[step].call];
}

bool ended_within(const Times& times, std::uint32_t step, std::uint32_t task) {
  const Interval& call = times.steps[step];
  const Ns end = times.tasks[task].end;
  return call.start < end && end <= call.end + assumed::clock_tolerance;
}

bool ended_after(const Times& times, std::uint32_t step, std::uint32_t task) {
  return times.tasks[task].end > times.steps[step].end + assumed::clock_tolerance;
}

ContextWaits::Context ContextWaits::context_at(const Walk& walk, std::uint32_t step,
                                               std::uint32_t context) {
  std::uint64_t& done = done_[{thread_of(context_.program, step).first, context}];
  Context result;
  for (const std::uint32_t stream : walk.used_since(context, done)) {
    const std::vector<std::uint32_t> ends = walk.ends_of(stream);
    result.tasks.insert(result.tasks.end(), ends.begin(), ends.end());
  }
  walk.keep_latest(result.tasks);
  for (const std::uint32_t task : result.tasks) {
    result.runs_on |= ended_after(context_.times, step, task);
    result.ended |= ended_within(context_.times, step, task);
  }
  if (!result.runs_on) done = walk.now();
  return result;
}

std::optional<std::vector<std::uint32_t>> ContextWaits::of_hidden_wait(const Walk& walk,
                                                                       std::uint32_t step,
                                                                       Evidence evidence) {
  const Calls& calls = context_.trace.calls;
  const std::uint32_t call = context_.program.steps[step].call;
  const std::uint32_t pid = pid_of(calls.threads[calls.thread_of(call)].global_tid);
  std::vector<Context> contexts;
  bool all_done = evidence == Evidence::nothing_went_on;
  for (const std::uint32_t context : walk.contexts_of(pid)) {
    contexts.push_back(context_at(walk, step, context));
    all_done &= !contexts.back().runs_on;
  }
  std::vector<std::uint32_t> tasks;
  for (const Context& context : contexts) {
    if (context.runs_on || !(all_done || context.ended)) continue;
    tasks.insert(tasks.end(), context.tasks.begin(), context.tasks.end());
  }
  if (tasks.empty()) return std::nullopt;
  return tasks;
}

std::unique_ptr<CallConstraint> hidden_wait(const ConstraintContext& context, CallKind kind,
                                            ContextWaits::Evidence evidence) {
  return std::make_unique<HiddenWait>(context, kind, evidence);
}

bool is_copy(const ConstraintContext& context, std::uint32_t step) {
  const CallKind kind = kind_of(context, step);
  return kind == CallKind::copy_blocking || kind == CallKind::copy_async;
}

bool copies_pageable(const ConstraintContext& context, std::uint32_t step) {
  const Step& call = context.program.steps[step];
  for (std::uint32_t t = call.first_task; t < call.first_task + call.task_count; ++t) {
    if (is_pageable(context.trace, context.program.tasks[t])) return true;
  }
  return false;
}

bool reads_value(const ConstraintContext& context, std::uint32_t step) {
  const Step& call = context.program.steps[step];
  for (std::uint32_t t = call.first_task; t < call.first_task + call.task_count; ++t) {
    const Task& task = context.program.tasks[t];
    if (!task.is_value) continue;
    const std::uint8_t memory = context.trace.devices[task.device].ops.memory[task.op];
    if ((memory & target_pageable) != 0) return true;
  }
  return false;
}

std::vector<std::uint32_t> copies_ended(const ConstraintContext& context, std::uint32_t step) {
  const Step& call = context.program.steps[step];
  std::vector<std::uint32_t> ended;
  for (std::uint32_t t = call.first_task; t < call.first_task + call.task_count; ++t) {
    if (!ended_after(context.times, step, t)) ended.push_back(t);
  }
  return ended;
}

std::vector<std::uint32_t> ends_of_copy_call(const ConstraintContext& context, std::uint32_t step) {
  std::vector<std::uint32_t> tasks = copies_ended(context, step);
  const Step& call = context.program.steps[step];
  if (!tasks.empty() || call.task_count == 0) return tasks;
  const std::uint32_t before = context.before[call.first_task];
  if (before != no_index && ended_within(context.times, step, before)) tasks.push_back(before);
  return tasks;
}

}  // namespace lapscope::analyzer
