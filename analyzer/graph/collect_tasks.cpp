#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/graph/building.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// Returns the streams of all devices, including streams that have no tasks in the interval.
std::vector<GraphStream> collect_streams(const Trace& trace) {
  std::vector<GraphStream> streams;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> known;
  for (const Device& device : trace.devices) {
    for (const Stream& stream : device.streams) {
      if (!known.try_emplace({stream.pid, stream.id}, true).second) continue;
      streams.push_back({stream.pid, stream.id, stream.context, stream.kind,
                         rule::priorities ? stream.priority.value_or(0) : 0});
    }
  }
  return streams;
}

// Finds the step of a call. If the call lies inside another call, finds the step of the outer call.
class StepIndex {
 public:
  StepIndex(const Trace& trace, const RecordedCalls& calls)
      : trace_(trace), calls_(calls), threads_(calls.host) {}

  std::uint32_t of(std::uint32_t call) {
    if (call == no_index) return no_index;
    const std::int64_t tid = trace_.calls.threads[trace_.calls.thread_of(call)].global_tid;
    if (!last_ || last_->global_tid != tid) last_ = threads_.of(tid);
    if (!last_) return no_index;
    const ThreadSteps& thread = *last_;
    const std::uint32_t first_call = calls_.host.steps[thread.first].call;
    if (first_call <= call && call - first_call < thread.last - thread.first) {
      return thread.first + (call - first_call);
    }
    // The call is inside another call.
    const Ns start = trace_.calls.start[call];
    const auto begin = calls_.times.begin() + thread.first;
    const auto after =
        std::partition_point(begin, calls_.times.begin() + thread.last,
                             [start](const Interval& step) { return step.start <= start; });
    if (after == begin || std::prev(after)->end < trace_.calls.end[call]) return no_index;
    return static_cast<std::uint32_t>(after - calls_.times.begin()) - 1;
  }

 private:
  const Trace& trace_;
  const RecordedCalls& calls_;
  ThreadIndex threads_;
  const ThreadSteps* last_ = nullptr;
};

// Whether an op belongs to the program although no step issued it. It belongs if it had not ended
// when the first step began. It also belongs if it started in the interval and has no call in the
// trace.
//
//   thread    a.b|c....      The interval begins at the bar. B was issued before the bar, but keeps
//   stream 1  .AA|BBCC.      its times, so that C waits for B. A is left out.
bool belongs(const Trace& trace, const Ops& ops, std::uint32_t op, Interval issued, Ns first_step) {
  const std::uint32_t call = ops.issue[op];
  const Ns at_latest = call == no_index ? ops.start[op] : trace.calls.start[call];
  if (at_latest >= issued.end) return false;
  return ops.end[op] > first_step || (call == no_index && ops.start[op] >= issued.start);
}

std::vector<Draft> collect_ops(const Trace& trace, Interval issued,
                               const std::vector<bool>& communication, const Kernels& kernels,
                               const std::vector<GraphStream>& all_streams, RecordedCalls& calls) {
  StepIndex steps(trace, calls);
  std::vector<Draft> drafts;
  const StreamIndex by_id(all_streams);
  const Ns first_step = calls.host.begin;
  for (std::size_t d = 0; d < trace.devices.size(); ++d) {
    const Device& device = trace.devices[d];
    const Ops& ops = device.ops;
    std::vector<std::uint32_t> streams;  // in all_streams, by stream of the device
    for (const Stream& stream : device.streams) streams.push_back(by_id.of(stream.pid, stream.id));
    for (std::uint32_t op = 0; op < ops.size(); ++op) {
      Task task;
      task.step = steps.of(ops.issue[op]);
      if (task.step == no_index) {
        if (!belongs(trace, ops, op, issued, first_step)) continue;
        if (ops.issue[op] == no_index && ops.start[op] >= issued.start) {
          calls.host.begin = std::min(calls.host.begin, ops.start[op]);
        }
      }
      task.op = op;
      task.stream = streams[ops.stream[op]];
      if (ops.geometry[op] != no_index) task.geometry = kernels.use_of[d][ops.geometry[op]];
      task.kernel_class = kernels.class_of[d][op];
      task.device = static_cast<std::uint16_t>(d);
      task.channel = ops.channel[op];
      task.engine = ops.engine[op];
      task.is_value = ops.engine[op] == Engine::d2h && ops.bytes[op] > 0 &&
                      ops.bytes[op] <= assumed::most_of_a_value;
      task.communicates = communicates(communication, ops.name[op]);
      drafts.push_back({task, ops.interval(op), ops.start[op]});
    }
  }
  if (first_step == latest_time) return drafts;
  // The gap of a thread's first step counts from HostSteps::begin. Ops whose call is not in the
  // trace may have moved this begin to an earlier time.
  for (const ThreadSteps& thread : calls.host.threads) {
    Step& first = calls.host.steps.edit()[thread.first];
    if (first.after == no_index) first.gap += first_step - calls.host.begin;
  }
  return drafts;
}

// Adds drafts of host functions in streams. If no callback reported the stream, takes the stream of
// the last task that the thread issued: programs usually enqueue a host function directly after the
// work that must end first.
void collect_host_functions(const Trace& trace, const RecordedCalls& calls,
                            const std::vector<GraphStream>& streams, std::vector<Draft>& drafts) {
  const HostSteps& host = calls.host;
  std::vector<std::uint32_t> stream_of_step(host.steps.size(), no_index);
  for (const Draft& draft : drafts) {
    if (draft.task.step != no_index) stream_of_step[draft.task.step] = draft.task.stream;
  }
  const StreamIndex by_id(streams);
  for (const ThreadSteps& thread : host.threads) {
    std::uint32_t stream = no_index;
    for (std::uint32_t step = thread.first; step < thread.last; ++step) {
      if (stream_of_step[step] != no_index) stream = stream_of_step[step];
      if (trace.calls.kind[host.steps[step].call] != CallKind::host_function) continue;
      const CallStream* callback = stream_of_call(trace, host.steps[step].call);
      if (callback && callback->is_captured) continue;
      const std::uint32_t known =
          callback ? by_id.of(pid_of(thread.global_tid), callback->stream) : no_index;
      if (known == no_index && stream == no_index) continue;
      Task task;
      task.kind = TaskKind::host_function;
      task.step = step;
      task.stream = known == no_index ? stream : known;
      drafts.push_back({task, {calls.times[step].end, calls.times[step].end}});
    }
  }
}

// For each stream, whether it is an internal stream of CUDA. The ids of internal streams follow the
// id of the context's null stream.
std::vector<bool> are_internal(const Trace& trace, const std::vector<GraphStream>& streams) {
  std::multimap<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> contexts;  // null streams
  for (const CudaContext& context : trace.contexts) {
    contexts.insert({{context.pid, context.id}, context.null_stream});
  }
  std::vector<bool> internal;
  for (const GraphStream& stream : streams) {
    const auto [first, last] = contexts.equal_range({stream.pid, stream.context});
    internal.push_back(std::any_of(first, last, [&stream](const auto& context) {
      const std::uint32_t null_stream = context.second;
      return stream.kind == StreamKind::non_blocking && null_stream < stream.id &&
             stream.id <= null_stream + assumed::internal_streams;
    }));
  }
  return internal;
}

// A copy between two devices may run on a device to which it was not issued. CUPTI then records the
// copy in an internal stream of this device. Moves such a copy to the stream that its thread used
// last.
void move_out_of_internal_streams(const Trace& trace, const HostSteps& host,
                                  const std::vector<GraphStream>& streams,
                                  std::vector<Draft>& drafts) {
  const std::vector<bool> internal = are_internal(trace, streams);
  if (std::ranges::none_of(internal, [](bool is) { return is; })) return;
  std::map<std::uint32_t, std::uint32_t> last;  // stream by first step of the thread
  for (Draft& draft : drafts) {
    Task& task = draft.task;
    if (task.step == no_index) continue;
    const std::uint32_t thread = thread_of(host, task.step).first;
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

void sort_by_issue(const RecordedCalls& calls, std::vector<Draft>& drafts) {
  const auto key = [&calls](const Draft& draft) {
    const Task& task = draft.task;
    return std::make_tuple(issued_at(calls, draft), task.step != no_index, task.step,
                           draft.time.start, draft.time.end, task.device, task.op, draft.place);
  };
  std::ranges::sort(drafts, [&key](const Draft& a, const Draft& b) { return key(a) < key(b); });
}

// If more kernels were recorded at the same time than a GPU can run, their times or shapes are
// wrong. Drops the shapes of the surplus kernels. A replay searches for room only for kernels with
// a shape. The time of this search grows with the square of the number of running kernels.
void forget_shapes_beyond(std::size_t devices, std::vector<Draft>& drafts) {
  std::vector<std::uint32_t> kernels;
  for (std::uint32_t t = 0; t < drafts.size(); ++t) {
    if (drafts[t].task.geometry != no_index) kernels.push_back(t);
  }
  std::ranges::sort(kernels, [&drafts](std::uint32_t a, std::uint32_t b) {
    return std::make_pair(drafts[a].time.start, a) < std::make_pair(drafts[b].time.start, b);
  });
  std::vector<std::multiset<Ns>> ends(devices);  // of the running kernels, by device
  for (const std::uint32_t t : kernels) {
    Task& task = drafts[t].task;
    std::multiset<Ns>& running = ends[task.device];
    running.erase(running.begin(), running.upper_bound(drafts[t].time.start));
    if (running.size() < assumed::kernels_at_once) {
      running.insert(drafts[t].time.end);
    } else {
      task.geometry = no_index;
    }
  }
}

// Splits the drafts into tasks and times. Sets the tasks of each step.
IssuedWork settled(std::vector<GraphStream> streams, std::vector<Draft> drafts,
                   RecordedCalls calls) {
  IssuedWork work;
  std::vector<Step>& steps = calls.host.steps.edit();
  std::vector<Task>& tasks = work.program.tasks.edit();
  std::vector<Interval>& times = work.times.tasks.edit();
  tasks.reserve(drafts.size());
  times.reserve(drafts.size());
  for (const Draft& draft : drafts) {
    const std::uint32_t s = draft.task.step;
    work.issued_at.push_back(issued_at(calls, draft));
    work.issue_offsets.push_back(0);
    if (s != no_index) {
      // A launch enqueues its task on the device just before the call returns. In measurements,
      // kernels without other delays started 2 us after the end of their calls, however long the
      // calls were.
      const Interval& call = calls.times[s];
      work.issue_offsets.back() = std::clamp<Ns>(draft.time.start - call.start, 0, call.length());
      if (steps[s].task_count++ == 0) {
        steps[s].first_task = static_cast<std::uint32_t>(tasks.size());
      }
    }
    tasks.push_back(draft.task);
    times.push_back(draft.time);
  }
  static_cast<HostSteps&>(work.program) = std::move(calls.host);
  work.program.streams = std::move(streams);
  work.times.steps = std::move(calls.times);
  work.polls = std::move(calls.polls);
  return work;
}

}  // namespace

IssuedWork collect_tasks(const Trace& trace, Interval issued,
                         const std::vector<bool>& communication, const Kernels& kernels,
                         RecordedCalls calls) {
  std::vector<GraphStream> streams = collect_streams(trace);
  std::vector<Draft> drafts = collect_ops(trace, issued, communication, kernels, streams, calls);
  const std::vector<Draft> of_graphs = graph_functions(trace, calls, drafts);
  collect_host_functions(trace, calls, streams, drafts);
  drafts.insert(drafts.end(), of_graphs.begin(), of_graphs.end());
  place_unissued(trace, calls, streams.size(), drafts);
  sort_by_issue(calls, drafts);
  move_out_of_internal_streams(trace, calls.host, streams, drafts);
  if (settle_races(streams.size(), drafts, calls)) sort_by_issue(calls, drafts);
  begin_behind(trace, calls.host, streams.size(), drafts);
  forget_shapes_beyond(trace.devices.size(), drafts);
  const bool has_functions =
      std::ranges::any_of(drafts, [](const Draft& one) { return one.task.is_host_function(); });
  IssuedWork work = settled(std::move(streams), std::move(drafts), std::move(calls));
  if (has_functions) work.times.tasks = with_host_functions(trace, work.program, work.times);
  return work;
}

}  // namespace lapscope::analyzer
