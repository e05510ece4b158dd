#include "analyzer/graph/waits.h"

#include <algorithm>
#include <utility>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// A task that ends while its own launch call still runs was waited for, unless it is so short that
// it may have ended by chance: tracing keeps the call for a few us after the launch itself.
constexpr std::int64_t too_long_for_chance = 20'000;  // ns

std::vector<std::uint32_t> asked_about(const Walk& walk, const Question& question) {
  if (question.kind == SyncKind::event) return walk.recorded(question.pid, question.of);
  const std::uint32_t stream = walk.stream_of(question.pid, question.of);
  return stream == no_index ? std::vector<std::uint32_t>() : walk.work_of(stream);
}

}  // namespace

HostWaits::HostWaits(const Trace& trace, const Graph& graph, std::vector<Poll> polls)
    : trace_(trace), graph_(graph), polls_(std::move(polls)) {
  std::int64_t blocked = 0;
  std::int64_t free = 0;
  for (const Task& task : graph.tasks) {
    if (task.step == no_index || task.op == no_index || task.engine != Engine::compute ||
        task.end - task.start < too_long_for_chance) {
      continue;
    }
    (task.end <= graph.steps[task.step].end ? blocked : free) += 1;
  }
  launches_block_ = blocked > 9 * free;
  std::vector<std::uint32_t> last(graph.streams.size(), no_index);
  before_.reserve(graph.tasks.size());
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    before_.push_back(std::exchange(last[graph.tasks[t].stream], t));
  }
}

std::optional<HostWait> HostWaits::of(const Walk& walk, std::uint32_t step) {
  switch (trace_.calls.kind[graph_.steps[step].call]) {
    case CallKind::synchronize:
      return asked_for(walk, step);
    case CallKind::query:
      return of_query(walk, step);
    case CallKind::copy_blocking:
    case CallKind::copy_async:
      return of_copy(step);
    case CallKind::launch:
    case CallKind::graph_launch:
    case CallKind::memset:
      return of_launch(step);
    case CallKind::release:
    case CallKind::release_host:
    case CallKind::load:
      return hidden(walk, step);
    default:
      return std::nullopt;
  }
}

bool HostWaits::ended_within(std::uint32_t step, std::uint32_t task) const {
  const Step& call = graph_.steps[step];
  const std::int64_t end = graph_.tasks[task].end;
  return call.start < end && end <= call.end + clock_tolerance;
}

bool HostWaits::ended_after(std::uint32_t step, std::uint32_t task) const {
  return graph_.tasks[task].end > graph_.steps[step].end + clock_tolerance;
}

bool HostWaits::is_pageable(std::uint32_t task) const {
  const Task& own = graph_.tasks[task];
  if (own.op == no_index) return false;
  const std::uint8_t memory = trace_.devices[own.device].ops.memory[own.op];
  return (memory & (source_pageable | target_pageable)) != 0;
}

// Of what a query asked for, what had ended when it returned was not running any more: the answer
// was yes. Each question of a poll is judged by the last time that it was asked.
std::optional<HostWait> HostWaits::of_query(const Walk& walk, std::uint32_t step) const {
  const auto after =
      std::upper_bound(polls_.begin(), polls_.end(), step,
                       [](std::uint32_t s, const Poll& poll) { return s < poll.first; });
  const Poll single{step, step};
  const Poll& poll =
      after == polls_.begin() || std::prev(after)->last < step ? single : *std::prev(after);
  if (poll.first != step) return std::nullopt;
  std::map<Question, std::uint32_t> last_asked;
  for (std::uint32_t asks = poll.first; asks <= poll.last; ++asks) {
    if (const auto* record = record_of(trace_, graph_, asks)) {
      last_asked[question_of(*record)] = asks;
    }
  }
  HostWait wait;
  for (const auto& [question, asks] : last_asked) {
    const std::int64_t answered = trace_.calls.end[graph_.steps[asks].call];
    for (const std::uint32_t task : asked_about(walk, question)) {
      if (graph_.tasks[task].end <= answered + clock_tolerance) wait.tasks.push_back(task);
    }
  }
  walk.keep_latest(wait.tasks);
  if (wait.tasks.empty()) return std::nullopt;
  return wait;
}

HostWaits::Context HostWaits::context_at(const Walk& walk, std::uint32_t step,
                                         std::uint32_t context) {
  std::uint64_t& done = done_[{thread_of(graph_, step).first, graph_.steps[step].cause, context}];
  Context result;
  for (const std::uint32_t stream : walk.used_since(context, done)) {
    const std::vector<std::uint32_t> ends = walk.ends_of(stream);
    result.tasks.insert(result.tasks.end(), ends.begin(), ends.end());
  }
  walk.keep_latest(result.tasks);
  for (const std::uint32_t task : result.tasks) {
    result.runs_on |= ended_after(step, task);
    result.ended |= ended_within(step, task);
  }
  if (!result.runs_on) done = walk.now();
  return result;
}

// cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize.
std::optional<HostWait> HostWaits::asked_for(const Walk& walk, std::uint32_t step) {
  const Synchronization* record = record_of(trace_, graph_, step);
  if (!record) return hidden(walk, step);
  HostWait wait;
  if (record->kind == SyncKind::context) {
    const std::uint32_t context = walk.context_of(record->pid, record->context);
    if (context == no_index) return std::nullopt;
    wait.tasks = context_at(walk, step, context).tasks;
  } else if (record->kind == SyncKind::stream || record->kind == SyncKind::event) {
    wait.tasks = asked_about(walk, question_of(*record));
  } else {
    return hidden(walk, step);
  }
  // What ended later was not waited for. What had ended before is kept: once something is changed,
  // it may be what the call waits for.
  std::erase_if(wait.tasks, [&](std::uint32_t task) { return ended_after(step, task); });
  if (wait.tasks.empty()) return std::nullopt;
  return wait;
}

// A copy call waits for its own copy, or at least for its stream to get there.
std::optional<HostWait> HostWaits::of_copy(std::uint32_t step) const {
  const Step& own = graph_.steps[step];
  HostWait wait;
  bool pageable = false;
  for (std::uint32_t task = own.first_task; task < own.first_task + own.task_count; ++task) {
    pageable |= is_pageable(task);
    if (!ended_after(step, task)) wait.tasks.push_back(task);
  }
  const bool blocking = trace_.calls.kind[own.call] == CallKind::copy_blocking;
  if (wait.tasks.empty() && own.task_count > 0 && (blocking || pageable)) {
    // The copy's data were taken over, which a stream's earlier work may have delayed.
    const std::uint32_t before = before_[own.first_task];
    if (before != no_index && ended_within(step, before)) wait.tasks.push_back(before);
  }
  // The driver copies pageable memory piece by piece; the call returns when the last piece is on
  // its way, some us before the copy ends.
  if (pageable) wait.cause = Cause::pageable_copy;
  if (wait.tasks.empty()) return pageable ? std::optional(wait) : std::nullopt;
  if (!blocking && !pageable) {
    if (!launches_block_) return std::nullopt;
    wait.cause = Cause::launch_blocking;
    return wait;
  }
  return wait;
}

// With CUDA_LAUNCH_BLOCKING a launch returns when its kernel has ended.
std::optional<HostWait> HostWaits::of_launch(std::uint32_t step) const {
  const Step& own = graph_.steps[step];
  HostWait wait{Cause::launch_blocking, {}};
  for (std::uint32_t task = own.first_task; task < own.first_task + own.task_count; ++task) {
    const bool is_long = graph_.tasks[task].end - graph_.tasks[task].start >= too_long_for_chance;
    if (ended_within(step, task) && (is_long || launches_block_)) wait.tasks.push_back(task);
  }
  if (wait.tasks.empty()) return std::nullopt;
  return wait;
}

// cudaFree, cudaFreeHost, cudaHostUnregister, the loading of modules: they wait for all work of a
// device, and no record says so, nor which device. That nothing issued before went on beyond the
// call is the evidence; of loading, which does not always wait, that something ended while the call
// lasted. The same of a single device when others went on.
//
//   thread    (cudaFree).
//   device 0  AAAAAAAA...    ended within the call: it waited for this one,
//   device 1  BBBBBBBBBBB    and not for that one
std::optional<HostWait> HostWaits::hidden(const Walk& walk, std::uint32_t step) {
  const std::uint32_t call = graph_.steps[step].call;
  const std::uint32_t pid = pid_of(trace_.calls.threads[trace_.calls.thread_of(call)].global_tid);
  std::vector<Context> contexts;
  bool always = trace_.calls.kind[call] != CallKind::load;
  for (const std::uint32_t context : walk.contexts_of(pid)) {
    contexts.push_back(context_at(walk, step, context));
    always &= !contexts.back().runs_on;
  }
  HostWait wait{graph_.steps[step].cause, {}};
  for (const Context& context : contexts) {
    if (context.runs_on || !(always || context.ended)) continue;
    wait.tasks.insert(wait.tasks.end(), context.tasks.begin(), context.tasks.end());
  }
  if (wait.tasks.empty()) return std::nullopt;
  return wait;
}

}  // namespace lapscope::analyzer
