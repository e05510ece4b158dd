#include "analyzer/graph/stream_walk.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "analyzer/graph/constraint.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

const std::vector<std::uint32_t> nothing;

void append(const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Walk::Walk(const Trace& trace, const Issued& program, const Times& times)
    : program_(program),
      times_(times),
      launches_(trace, program),
      counts_in_(streams_counted_in(trace, program)),
      streams_(program.streams.size()),
      by_id_(program.streams),
      latest_(program.streams.size()) {
  add_streams();
}

void Walk::add_streams() {
  for (std::uint32_t stream = 0; stream < program_.streams.size(); ++stream) {
    const GraphStream& known = program_.streams[stream];
    const auto [context, is_new] = context_index_.try_emplace(
        key(known.pid, known.context), static_cast<std::uint32_t>(contexts_.size()));
    if (is_new) {
      contexts_.emplace_back();
      contexts_of_process_[known.pid].push_back(context->second);
    }
    streams_[stream].context = context->second;
    contexts_[context->second].streams.push_back(stream);
    if (known.kind == StreamKind::legacy_default)
      contexts_[context->second].legacy.push_back(stream);
  }
}

std::vector<std::uint32_t> Walk::barrier_of(std::uint32_t stream) const {
  const StreamState& own = streams_[stream];
  const ContextState& context = contexts_[own.context];
  std::vector<std::uint32_t> barrier = own.front.barrier;
  if (program_.streams[stream].kind == StreamKind::legacy_default) {
    for (const std::uint32_t other : context.dirty) {
      append(streams_[other].front.last, barrier);
      append(streams_[other].front.awaited, barrier);
    }
  } else if (program_.streams[stream].kind == StreamKind::blocking &&
             own.seen_version != context.version) {
    for (const std::uint32_t legacy : context.legacy) {
      append(streams_[legacy].front.last, barrier);
      append(streams_[legacy].front.awaited, barrier);
      append(streams_[legacy].front.barrier, barrier);
    }
  }
  std::erase_if(barrier, [&](std::uint32_t task) { return counts_in_[task] == stream; });
  keep_latest(barrier);
  return barrier;
}

Front Walk::front_of(std::uint32_t stream) const {
  const Front& own = streams_[stream].front;
  return {own.last, own.awaited, barrier_of(stream)};
}

std::vector<std::uint32_t> Walk::ends_of(std::uint32_t stream) const {
  std::vector<std::uint32_t> ends = barrier_of(stream);
  append(streams_[stream].front.awaited, ends);
  append(streams_[stream].front.last, ends);
  keep_latest(ends);
  return ends;
}

std::vector<std::uint32_t> Walk::work_of(std::uint32_t stream) const {
  if (program_.streams[stream].kind == StreamKind::legacy_default) return ends_of(stream);
  const Front& front = streams_[stream].front;
  std::vector<std::uint32_t> work = front.barrier;
  append(front.awaited, work);
  append(front.last, work);
  keep_latest(work);
  return work;
}

const std::vector<std::uint32_t>& Walk::recorded(std::uint32_t pid,
                                                 std::uint32_t event_sync) const {
  const auto found = events_.find(key(pid, event_sync));
  return found == events_.end() ? nothing : found->second;
}

std::uint32_t Walk::context_of(std::uint32_t pid, std::uint32_t context) const {
  const auto found = context_index_.find(key(pid, context));
  return found == context_index_.end() ? no_index : found->second;
}

const std::vector<std::uint32_t>& Walk::streams_of(std::uint32_t pid, std::uint32_t context) const {
  const std::uint32_t found = context_of(pid, context);
  return found == no_index ? nothing : contexts_[found].streams;
}

const std::vector<std::uint32_t>& Walk::contexts_of(std::uint32_t pid) const {
  const auto found = contexts_of_process_.find(pid);
  return found == contexts_of_process_.end() ? nothing : found->second;
}

std::vector<std::uint32_t> Walk::used_since(std::uint32_t context, std::uint64_t since) const {
  std::vector<std::uint32_t> used;
  for (std::uint32_t stream = contexts_[context].latest;
       stream != no_index && streams_[stream].used > since; stream = streams_[stream].before) {
    used.push_back(stream);
  }
  return used;
}

std::uint32_t Walk::unit_of(std::uint32_t task) const {
  const Task& own = program_.tasks[task];
  return is_graph_node(program_, own) ? program_.steps[own.step].first_task : task;
}

void Walk::keep_latest(std::vector<std::uint32_t>& tasks) const {
  if (tasks.size() < 2) return;
  std::ranges::sort(tasks);
  tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
  for (const std::uint32_t task : tasks) latest_[counts_in_[task]] = unit_of(task);
  std::erase_if(tasks,
                [&](std::uint32_t task) { return latest_[counts_in_[task]] != unit_of(task); });
}

void Walk::begin_task(std::uint32_t task) {
  const Task& own = program_.tasks[task];
  if (own.step != no_index && own.step == launch_) {
    look_at_node(task);
    return;
  }
  const bool is_node = is_graph_node(program_, own);
  launch_ = is_node ? own.step : no_index;
  first_end_ = std::numeric_limits<Ns>::max();
  is_known_ = is_node && launches_.is_known(program_.steps[own.step]);
  look_at_node(task);
  const std::uint32_t stream = counts_in_[task];
  front_ = front_of(stream);
  put_into(stream);
  streams_[stream].front = {};
}

void Walk::look_at_node(std::uint32_t task) {
  const Task& own = program_.tasks[task];
  needed_.clear();
  if (is_known_) needed_ = launches_.before(program_.steps[own.step], task);
  is_root_ = is_known_ ? needed_.empty()
                       : first_end_ > times_.tasks[task].start + assumed::clock_tolerance;
}

void Walk::pass_task(std::uint32_t task) {
  std::vector<std::uint32_t>& last = streams_[counts_in_[task]].front.last;
  if (is_known_) {
    std::erase_if(last,
                  [this](std::uint32_t node) { return std::ranges::binary_search(needed_, node); });
    last.push_back(task);
    return;
  }
  // If the graph's edges are not known, the node that ends last is taken as the end of the launch.
  const Ns end = times_.tasks[task].end;
  if (last.empty() || times_.tasks[last.front()].end <= end) last.assign(1, task);
  first_end_ = std::min(first_end_, end);
}

void Walk::pass_wait(const Synchronization& wait) {
  const std::uint32_t stream = stream_of(wait.pid, wait.stream);
  if (stream == no_index || wait.event_sync == 0) return;
  Front& front = streams_[stream].front;
  front.barrier = barrier_of(stream);
  append(recorded(wait.pid, wait.event_sync), front.awaited);
  keep_latest(front.awaited);
  put_into(stream);
}

void Walk::pass_record(const EventRecord& record) {
  const std::uint32_t stream = stream_of(record.pid, record.stream);
  if (stream == no_index || record.event_sync == 0) return;
  events_[key(record.pid, record.event_sync)] = ends_of(stream);
  streams_[stream].front.barrier = barrier_of(stream);
  put_into(stream);
}

// Marks the waits between the stream and the legacy stream as done. barrier_of() skips marked
// waits, so it must be called before put_into().
void Walk::put_into(std::uint32_t stream) {
  StreamState& own = streams_[stream];
  ContextState& context = contexts_[own.context];
  if (program_.streams[stream].kind == StreamKind::legacy_default) {
    for (const std::uint32_t other : context.dirty) streams_[other].is_dirty = false;
    context.dirty.clear();
    ++context.version;
  } else if (program_.streams[stream].kind == StreamKind::blocking) {
    own.seen_version = context.version;
    if (!own.is_dirty) context.dirty.push_back(stream);
    own.is_dirty = true;
  }
  mark_used(stream);
}

void Walk::mark_used(std::uint32_t stream) {
  StreamState& own = streams_[stream];
  ContextState& context = contexts_[own.context];
  own.used = ++now_;
  if (context.latest == stream) return;
  if (own.before != no_index) streams_[own.before].after = own.after;
  if (own.after != no_index) streams_[own.after].before = own.before;
  own.before = context.latest;
  own.after = no_index;
  if (context.latest != no_index) streams_[context.latest].after = stream;
  context.latest = stream;
}

std::vector<Command> commands_of(const Trace& trace, const Issued& program, const Times& times,
                                 const std::vector<Ns>& issued_at) {
  std::vector<Command> commands;
  commands.reserve(program.tasks.size() + program.steps.size());
  for (std::uint32_t i = 0; i < program.tasks.size(); ++i) {
    commands.push_back({issued_at[i], i, CommandKind::task});
  }
  Ns begin = program.begin;
  for (const Command& task : commands) begin = std::min(begin, task.time);
  const auto is_in_stretch = [begin](Ns time) { return begin <= time; };
  for (std::uint32_t i = 0; i < trace.synchronizations.size(); ++i) {
    const Synchronization& sync = trace.synchronizations[i];
    const Ns time = trace.calls.start[sync.call];
    if (sync.kind != SyncKind::stream_wait_event || !is_in_stretch(time)) continue;
    commands.push_back({time, i, CommandKind::wait_event});
  }
  for (std::uint32_t i = 0; i < trace.event_records.size(); ++i) {
    const Ns time = trace.calls.start[trace.event_records[i].call];
    if (is_in_stretch(time)) commands.push_back({time, i, CommandKind::record_event});
  }
  for (std::uint32_t i = 0; i < program.steps.size(); ++i) {
    commands.push_back({issues_at(program, times, i), i, CommandKind::step});
  }
  // The tasks of a call come before the step of the call, because the step may wait for them.
  std::ranges::sort(commands, [](const Command& a, const Command& b) {
    return std::tie(a.time, a.kind, a.index) < std::tie(b.time, b.kind, b.index);
  });
  return commands;
}

}  // namespace lapscope::analyzer
