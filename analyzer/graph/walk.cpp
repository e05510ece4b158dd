#include "analyzer/graph/walk.h"

#include <algorithm>
#include <tuple>

namespace lapscope::analyzer {
namespace {

const std::vector<std::uint32_t> nothing;

}  // namespace

Walk::Walk(const Trace& trace, const Graph& graph)
    : trace_(trace), graph_(graph), streams_(graph.streams.size()) {
  for (std::uint32_t stream = 0; stream < graph.streams.size(); ++stream) {
    const GraphStream& known = graph.streams[stream];
    stream_index_[key(known.pid, known.id)] = stream;
    by_context_[key(known.pid, known.context)].push_back(stream);
  }
}

const std::vector<std::uint32_t>& Walk::recorded(std::uint32_t pid,
                                                 std::uint32_t event_sync) const {
  const auto found = events_.find(key(pid, event_sync));
  return found == events_.end() ? nothing : found->second;
}

std::uint32_t Walk::stream_of(std::uint32_t pid, std::uint32_t id) const {
  const auto found = stream_index_.find(key(pid, id));
  return found == stream_index_.end() ? no_index : found->second;
}

const std::vector<std::uint32_t>& Walk::streams_of(std::uint32_t pid, std::uint32_t context) const {
  const auto found = by_context_.find(key(pid, context));
  return found == by_context_.end() ? nothing : found->second;
}

void Walk::pass_task(std::uint32_t task) {
  StreamState& stream = streams_[graph_.tasks[task].stream];
  stream.last = task;
  stream.awaited.clear();
}

void Walk::pass_wait(const Synchronization& wait) {
  const std::uint32_t stream = stream_of(wait.pid, wait.stream);
  if (stream == no_index || wait.event_sync == 0) return;
  for (const std::uint32_t task : recorded(wait.pid, wait.event_sync)) {
    add(streams_[stream].awaited, task);
  }
}

void Walk::pass_record(const EventRecord& record) {
  const std::uint32_t stream = stream_of(record.pid, record.stream);
  if (stream == no_index || record.event_sync == 0) return;
  std::vector<std::uint32_t> stands_for = streams_[stream].awaited;
  if (streams_[stream].last != no_index) add(stands_for, streams_[stream].last);
  events_[key(record.pid, record.event_sync)] = std::move(stands_for);
}

// Of each stream only the last task matters, so that there are never more than streams.
void Walk::add(std::vector<std::uint32_t>& tasks, std::uint32_t task) const {
  const std::uint32_t stream = graph_.tasks[task].stream;
  for (std::uint32_t& known : tasks) {
    if (graph_.tasks[known].stream != stream) continue;
    known = std::max(known, task);
    return;
  }
  tasks.push_back(task);
}

std::vector<Command> commands_of(const Trace& trace, const Graph& graph) {
  std::vector<Command> commands;
  commands.reserve(graph.tasks.size() + graph.steps.size());
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
    const Task& task = graph.tasks[i];
    const std::int64_t time = task.step == no_index ? task.start : graph.steps[task.step].start;
    commands.push_back({time, i, CommandKind::task});
  }
  const auto is_in_stretch = [&](std::int64_t time) { return graph.begin <= time; };
  for (std::uint32_t i = 0; i < trace.synchronizations.size(); ++i) {
    const Synchronization& sync = trace.synchronizations[i];
    const std::int64_t time = trace.calls.start[sync.call];
    if (sync.kind != SyncKind::stream_wait_event || !is_in_stretch(time)) continue;
    commands.push_back({time, i, CommandKind::wait_event});
  }
  for (std::uint32_t i = 0; i < trace.event_records.size(); ++i) {
    const std::int64_t time = trace.calls.start[trace.event_records[i].call];
    if (is_in_stretch(time)) commands.push_back({time, i, CommandKind::record_event});
  }
  for (std::uint32_t i = 0; i < graph.steps.size(); ++i) {
    commands.push_back({graph.steps[i].start, i, CommandKind::step});
  }
  // What a call issues comes before the call itself, which may wait for it.
  std::sort(commands.begin(), commands.end(), [](const Command& a, const Command& b) {
    return std::tie(a.time, a.kind, a.index) < std::tie(b.time, b.kind, b.index);
  });
  return commands;
}

}  // namespace lapscope::analyzer
