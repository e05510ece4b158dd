#include "analyzer/graph/waits.h"

#include <algorithm>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// A task that ends while its own launch call still runs was waited for, unless it is so short that
// it may have ended by chance: tracing keeps the call for a few us after the launch itself.
constexpr std::int64_t too_long_for_chance = 20'000;  // ns

}  // namespace

HostWaits::HostWaits(const Trace& trace, const Graph& graph) : trace_(trace), graph_(graph) {
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
}

std::optional<HostWait> HostWaits::of(const Walk& walk, std::uint32_t step) const {
  switch (trace_.calls.kind[graph_.steps[step].call]) {
    case CallKind::synchronize:
    case CallKind::query:
      return asked_for(walk, step, sync_of(step));
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

const Synchronization* HostWaits::sync_of(std::uint32_t step) const {
  const auto& all = trace_.synchronizations;
  const std::int64_t start = graph_.steps[step].start;
  auto found = std::partition_point(all.begin(), all.end(), [&](const Synchronization& sync) {
    return trace_.calls.start[sync.call] < start;
  });
  for (; found != all.end() && trace_.calls.start[found->call] <= graph_.steps[step].end; ++found) {
    if (trace_.calls.start[found->call] > start) break;
    if (found->call == graph_.steps[step].call) return &*found;
  }
  return nullptr;
}

std::vector<std::uint32_t> HostWaits::last_of_process(const Walk& walk, std::uint32_t step) const {
  std::vector<std::uint32_t> tasks;
  const std::uint32_t call = graph_.steps[step].call;
  const std::uint32_t pid = pid_of(trace_.calls.threads[trace_.calls.thread_of(call)].global_tid);
  for (std::uint32_t stream = 0; stream < graph_.streams.size(); ++stream) {
    if (graph_.streams[stream].pid != pid) continue;
    const std::uint32_t last = walk.last_of(stream);
    if (last != no_index) tasks.push_back(last);
  }
  return tasks;
}

// cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize, and queries.
std::optional<HostWait> HostWaits::asked_for(const Walk& walk, std::uint32_t step,
                                             const Synchronization* sync) const {
  HostWait wait;
  if (sync && sync->kind == SyncKind::stream) {
    const std::uint32_t stream = walk.stream_of(sync->pid, sync->stream);
    if (stream == no_index) return std::nullopt;
    if (walk.last_of(stream) != no_index) wait.tasks.push_back(walk.last_of(stream));
    for (const std::uint32_t task : walk.awaited_by(stream)) wait.tasks.push_back(task);
  } else if (sync && sync->kind == SyncKind::event) {
    wait.tasks = walk.recorded(sync->pid, sync->event_sync);
  } else if (sync && sync->kind == SyncKind::context) {
    for (const std::uint32_t stream : walk.streams_of(sync->pid, sync->context)) {
      if (walk.last_of(stream) != no_index) wait.tasks.push_back(walk.last_of(stream));
    }
  } else {
    return hidden(walk, step);
  }
  // What ended later was not waited for: a query that said no. What had ended before is kept: once
  // something is changed, it may be what the call waits for.
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
    const std::uint32_t stream = graph_.tasks[own.first_task].stream;
    for (std::uint32_t task = own.first_task; task-- > 0;) {
      if (graph_.tasks[task].stream != stream) continue;
      if (ended_within(step, task)) wait.tasks.push_back(task);
      break;
    }
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

// cudaFree, cudaFreeHost, cudaHostUnregister, the loading of modules: they wait for all work of the
// process, and no record says so. That nothing issued before went on beyond the call is the
// evidence; of loading, which does not always wait, that something ended while the call lasted.
std::optional<HostWait> HostWaits::hidden(const Walk& walk, std::uint32_t step) const {
  HostWait wait{graph_.steps[step].cause, last_of_process(walk, step)};
  bool waited = false;
  for (const std::uint32_t task : wait.tasks) {
    if (ended_after(step, task)) return std::nullopt;
    waited |= ended_within(step, task);
  }
  const bool always = trace_.calls.kind[graph_.steps[step].call] != CallKind::load;
  if (wait.tasks.empty() || !(always || waited)) return std::nullopt;
  return wait;
}

}  // namespace lapscope::analyzer
