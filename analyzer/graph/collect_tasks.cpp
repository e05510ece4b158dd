#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "analyzer/graph/building.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// Finds the step that a call is, or lies in.
class StepIndex {
 public:
  explicit StepIndex(const Trace& trace, const Graph& graph)
      : trace_(trace), graph_(graph), threads_(graph) {}

  std::uint32_t of(std::uint32_t call) {
    if (call == no_index) return no_index;
    const std::int64_t tid = trace_.calls.threads[trace_.calls.thread_of(call)].global_tid;
    if (!last_ || last_->global_tid != tid) last_ = threads_.of(tid);
    if (!last_) return no_index;
    const ThreadSteps& thread = *last_;
    const std::uint32_t first_call = graph_.steps[thread.first].call;
    if (first_call <= call && call - first_call < thread.last - thread.first) {
      return thread.first + (call - first_call);
    }
    // A call inside another one.
    const std::int64_t start = trace_.calls.start[call];
    const auto begin = graph_.steps.begin() + thread.first;
    const auto after =
        std::partition_point(begin, graph_.steps.begin() + thread.last,
                             [start](const Step& step) { return step.start <= start; });
    if (after == begin || std::prev(after)->end < trace_.calls.end[call]) return no_index;
    return static_cast<std::uint32_t>(after - graph_.steps.begin()) - 1;
  }

 private:
  const Trace& trace_;
  const Graph& graph_;
  ThreadIndex threads_;
  const ThreadSteps* last_ = nullptr;
};

// Streams by process and id, in Graph::streams.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> streams_by_id(const Graph& graph) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index;
  for (std::uint32_t i = 0; i < graph.streams.size(); ++i) {
    index.try_emplace({graph.streams[i].pid, graph.streams[i].id}, i);
  }
  return index;
}

// The streams of a device, in Graph::streams.
std::vector<std::uint32_t> streams_in_graph(
    const Device& device,
    const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>& index) {
  std::vector<std::uint32_t> result;
  for (const Stream& stream : device.streams) result.push_back(index.at({stream.pid, stream.id}));
  return result;
}

// Whether an op that no step issued is there: one without a call that started in the stretch, or
// whatever had not ended when the first step began.
//
//   thread    a.b|c....      The stretch begins at the bar. B was issued before and keeps its
//   stream 1  .AA|BBCC.      times, so that C waits for it; A is left out
bool belongs(const Trace& trace, const Ops& ops, std::uint32_t op, Interval issued,
             std::int64_t first_step) {
  const std::uint32_t call = ops.issue[op];
  const std::int64_t at_latest = call == no_index ? ops.start[op] : trace.calls.start[call];
  if (at_latest >= issued.end) return false;
  return ops.end[op] > first_step || (call == no_index && ops.start[op] >= issued.start);
}

void collect_ops(const Trace& trace, Interval issued, const std::vector<bool>& communication,
                 StepIndex& steps, Graph& graph) {
  const auto by_id = streams_by_id(graph);
  const std::int64_t first_step = graph.begin;
  for (std::size_t d = 0; d < trace.devices.size(); ++d) {
    const Device& device = trace.devices[d];
    const Ops& ops = device.ops;
    const std::vector<std::uint32_t> streams = streams_in_graph(device, by_id);
    const auto first_use = static_cast<std::uint32_t>(graph.uses.size());
    std::vector<bool> has_use;
    for (const LaunchGeometry& geometry : ops.geometries) {
      const auto use = sm_use(geometry, device.limits);
      graph.uses.push_back(use.value_or(SmUse{}));
      has_use.push_back(use.has_value());
    }
    for (std::uint32_t op = 0; op < ops.size(); ++op) {
      Task task;
      task.step = steps.of(ops.issue[op]);
      if (task.step == no_index) {
        if (!belongs(trace, ops, op, issued, first_step)) continue;
        if (ops.issue[op] == no_index && ops.start[op] >= issued.start) {
          graph.begin = std::min(graph.begin, ops.start[op]);
        }
      }
      task.start = ops.start[op];
      task.end = ops.end[op];
      task.work = task.lasted = task.end - task.start;
      task.op = op;
      task.stream = streams[ops.stream[op]];
      if (ops.geometry[op] != no_index && has_use[ops.geometry[op]]) {
        task.geometry = first_use + ops.geometry[op];
      }
      task.device = static_cast<std::uint16_t>(d);
      task.channel = ops.channel[op];
      task.engine = ops.engine[op];
      task.is_value = ops.engine[op] == Engine::d2h && ops.bytes[op] > 0 &&
                      ops.bytes[op] <= assumed::most_of_a_value;
      task.communicates = ops.name[op] < communication.size() && communication[ops.name[op]];
      graph.tasks.edit().push_back(task);
    }
  }
  if (first_step == latest_time) return;
  // The time before a thread's first step counts from the begin.
  for (const ThreadSteps& thread : graph.threads) {
    Step& first = graph.steps.edit()[thread.first];
    if (first.after == no_index) first.gap += first_step - graph.begin;
  }
}

// The stream of a host function is in no activity record. Where no callback told it, it is taken to
// be that of the last task which the same thread issued: a program enqueues the function behind
// what it is to follow.
void collect_host_functions(const Trace& trace, Graph& graph) {
  std::vector<std::uint32_t> stream_of_step(graph.steps.size(), no_index);
  for (const Task& task : graph.tasks) {
    if (task.step != no_index) stream_of_step[task.step] = task.stream;
  }
  const auto by_id = streams_by_id(graph);
  for (const ThreadSteps& thread : graph.threads) {
    std::uint32_t stream = no_index;
    for (std::uint32_t step = thread.first; step < thread.last; ++step) {
      if (stream_of_step[step] != no_index) stream = stream_of_step[step];
      if (trace.calls.kind[graph.steps[step].call] != CallKind::host_function) continue;
      const CallStream* callback = stream_of_call(trace, graph.steps[step].call);
      if (callback && callback->is_captured) continue;
      const auto named =
          callback ? by_id.find({pid_of(thread.global_tid), callback->stream}) : by_id.end();
      const std::uint32_t known = named == by_id.end() ? no_index : named->second;
      if (known == no_index && stream == no_index) continue;
      Task task;
      task.kind = TaskKind::host_function;
      task.step = step;
      task.stream = known == no_index ? stream : known;
      task.start = task.end = graph.steps[step].end;
      graph.tasks.edit().push_back(task);
    }
  }
}

// CUDA's own, right after the null stream of their context.
std::vector<bool> are_internal(const Trace& trace, const Graph& graph) {
  std::multimap<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> contexts;  // null streams
  for (const CudaContext& context : trace.contexts) {
    contexts.insert({{context.pid, context.id}, context.null_stream});
  }
  std::vector<bool> internal;
  for (const GraphStream& stream : graph.streams) {
    const auto [first, last] = contexts.equal_range({stream.pid, stream.context});
    internal.push_back(std::any_of(first, last, [&stream](const auto& context) {
      const std::uint32_t null_stream = context.second;
      return stream.kind == StreamKind::non_blocking && null_stream < stream.id &&
             stream.id <= null_stream + assumed::internal_streams;
    }));
  }
  return internal;
}

// A copy between devices may run on the other device than that of its stream, and is then recorded
// in an internal stream there. It is taken to be in the stream that the same thread used last.
void move_out_of_internal_streams(const Trace& trace, Graph& graph) {
  const std::vector<bool> internal = are_internal(trace, graph);
  if (std::none_of(internal.begin(), internal.end(), [](bool is) { return is; })) return;
  std::map<std::uint32_t, std::uint32_t> last;  // stream by first step of the thread
  for (Task& task : graph.tasks.edit()) {
    if (task.step == no_index) continue;
    const std::uint32_t thread = thread_of(graph, task.step).first;
    const bool is_peer_copy =
        task.op != no_index && trace.devices[task.device].ops.kind[task.op] == OpKind::peer_copy;
    const auto known = last.find(thread);
    if (internal[task.stream] && is_peer_copy && known != last.end()) {
      task.stream = known->second;
    } else if (!internal[task.stream]) {
      last[thread] = task.stream;
    }
  }
}

// A stream runs in the order of issue. An op whose call is not in the trace was issued before those
// that ran after it in its stream, which may have been long before it started. One whose call was
// made before the stretch was issued then.
//
//   thread    .b......    A, without a call, ran before B in their stream: it was issued
//   stream 1  ..AAAABB    before B was, at 1
void place_unissued(const Trace& trace, Graph& graph) {
  std::vector<Task>& tasks = graph.tasks.edit();
  std::vector<std::uint32_t> order;
  for (std::uint32_t t = 0; t < tasks.size(); ++t) {
    if (tasks[t].op != no_index) order.push_back(t);
  }
  std::sort(order.begin(), order.end(), [&tasks](std::uint32_t a, std::uint32_t b) {
    const Task& first = tasks[a];
    const Task& second = tasks[b];
    return std::tie(first.start, first.end) > std::tie(second.start, second.end);
  });
  std::vector<std::int64_t> at_latest(graph.streams.size(), latest_time);
  for (const std::uint32_t t : order) {
    Task& task = tasks[t];
    std::int64_t& latest = at_latest[task.stream];
    if (task.step == no_index) {
      const std::uint32_t call = trace.devices[task.device].ops.issue[task.op];
      const std::int64_t issued = call == no_index ? latest : trace.calls.start[call];
      task.issue_offset = std::min<std::int64_t>(0, issued - task.start);
    }
    latest = std::min(latest, issued_at(graph, task));
  }
}

// Streams with ops that several threads issued.
std::vector<bool> are_shared(const Graph& graph) {
  std::vector<bool> shared(graph.streams.size());
  std::vector<std::uint32_t> thread(graph.streams.size(), no_index);
  for (const Task& task : graph.tasks) {
    if (task.op == no_index || task.step == no_index) continue;
    const std::uint32_t own = thread_of(graph, task.step).first;
    if (thread[task.stream] == no_index) thread[task.stream] = own;
    if (thread[task.stream] != own) shared[task.stream] = true;
  }
  return shared;
}

// Threads whose calls last at the same time race for a stream they share: the one that wins is not
// the one whose call began first, but the one whose op ran first. Graph launches, and what leaves
// no op, keep the begins of their calls. Returns whether any was overtaken.
//
//   thread 1  aaaaaa.....    B is ahead in the stream: A was issued after B
//   thread 2  .bb........
//   stream 1  ...BB.AA...
bool settle_races(Graph& graph) {
  if (!rule::settle_races) return false;
  const std::vector<bool> shared = are_shared(graph);
  if (std::none_of(shared.begin(), shared.end(), [](bool is) { return is; })) return false;
  std::vector<const Task*> order;
  for (const Task& task : graph.tasks) {
    if (task.op == no_index || task.step == no_index || !shared[task.stream]) continue;
    if (!graph.steps[task.step].is_graph_launch) order.push_back(&task);
  }
  std::sort(order.begin(), order.end(), [](const Task* a, const Task* b) {
    return std::tie(a->stream, a->start, a->end, a->step) <
           std::tie(b->stream, b->start, b->end, b->step);
  });
  bool is_any = false;
  std::int64_t latest = never;  // issue in the stream so far
  const Task* ahead = nullptr;
  for (const Task* task : order) {
    if (ahead != nullptr && ahead->stream != task->stream) {
      ahead = nullptr;
      latest = never;
    }
    Step& step = graph.steps.edit()[task->step];
    if (ahead != nullptr && ahead->step != task->step) {
      const std::int64_t behind = latest + 1 - step.start;
      if (rule::overtaken && behind > step.overtaken && behind < step.end - step.start &&
          behind <= std::numeric_limits<std::int32_t>::max()) {
        step.overtaken = static_cast<std::int32_t>(behind);
        is_any = true;
      }
    }
    latest = std::max(latest, issued_at(graph, *task));
    ahead = task;
  }
  return is_any;
}

// With programmatic dependent launch a kernel may begin before the one ahead of it in its stream
// has ended. It then waits for that end by itself: its work counts from there on.
//
//   stream 1  AAAAAAA...    B is there early, and has work to do for 3:   AAAAAAA...
//   stream 1  .....BBBBB                                                  .......BBB
void begin_behind(const Trace& trace, Graph& graph) {
  if (!rule::began_early) return;
  std::vector<std::uint32_t> last(graph.streams.size(), no_index);
  std::vector<Task>& tasks = graph.tasks.edit();
  for (std::uint32_t t = 0; t < tasks.size(); ++t) {
    Task& task = tasks[t];
    const std::uint32_t before = std::exchange(last[task.stream], t);
    const auto is_kernel = [&](const Task& one) {
      return one.op != no_index && trace.devices[one.device].ops.kind[one.op] == OpKind::kernel &&
             (one.step == no_index || !graph.steps[one.step].is_graph_launch);
    };
    if (before == no_index || !is_kernel(task) || !is_kernel(tasks[before])) continue;
    const std::int64_t end = tasks[before].end;
    if (end <= task.start + assumed::clock_tolerance || end >= task.end) continue;
    task.start = end;
    task.work = task.lasted = task.end - end;
    task.began_early = true;
  }
}

}  // namespace

void collect_tasks(const Trace& trace, Interval issued, const std::vector<bool>& communication,
                   Graph& graph) {
  StepIndex steps(trace, graph);
  collect_ops(trace, issued, communication, steps, graph);
  collect_host_functions(trace, graph);
  collect_graph_functions(trace, graph);
  const bool has_unissued = std::any_of(graph.tasks.begin(), graph.tasks.end(),
                                        [](const Task& task) { return task.step == no_index; });
  if (has_unissued && rule::place_unissued) place_unissued(trace, graph);
  std::vector<Task>& tasks = graph.tasks.edit();
  const auto sort = [&] {
    std::sort(tasks.begin(), tasks.end(), [&](const Task& a, const Task& b) {
      // Functions in a graph have their order there in issue_offset.
      const bool a_has_call = a.step != no_index;
      const bool b_has_call = b.step != no_index;
      return std::make_tuple(issued_at(graph, a), a_has_call, a.step, a.start, a.end, a.device,
                             a.op, a.issue_offset) <
             std::make_tuple(issued_at(graph, b), b_has_call, b.step, b.start, b.end, b.device,
                             b.op, b.issue_offset);
    });
  };
  sort();
  move_out_of_internal_streams(trace, graph);
  if (settle_races(graph)) sort();
  begin_behind(trace, graph);
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
    Task& task = graph.tasks.edit()[i];
    if (task.step == no_index) continue;
    Step& step = graph.steps.edit()[task.step];
    // A launch hands its task over just before it returns: kernels that nothing else held up
    // started 2 us after the end of their calls, however long those took.
    task.issue_offset = std::clamp<std::int64_t>(task.start - step.start, 0, step.end - step.start);
    if (step.task_count++ == 0) step.first_task = i;
  }
}

}  // namespace lapscope::analyzer
