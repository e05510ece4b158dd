#include "analyzer/replay/replay.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "analyzer/graph/constraint.h"
#include "analyzer/graph/sharing.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/replay/collectives_under_way.h"
#include "analyzer/replay/compute_engine.h"
#include "analyzer/replay/copy_engines.h"
#include "analyzer/replay/shared_throughput.h"
#include "analyzer/replay/successors.h"

namespace lapscope::analyzer {
namespace {

// What happens at an instant, in the order in which things of one instant are dealt with.
enum class EventKind : std::uint8_t {
  task_ends,
  room_made,
  wave_ends,
  step_ends,
  step_begins,
  ready,
  starts
};

struct Event {
  std::int64_t time = 0;
  EventKind kind = EventKind::ready;
  std::uint32_t index = 0;    // in Graph::tasks or Graph::steps; of a wave, the device
  std::uint32_t version = 0;  // of the end of a copy or kernel; 0: it will not change

  friend bool operator>(const Event& a, const Event& b) {
    return std::tie(a.time, a.kind, a.index, a.version) >
           std::tie(b.time, b.kind, b.index, b.version);
  }
};

class Simulation {
 public:
  explicit Simulation(const Graph& graph)
      : graph_(graph),
        edges_(graph.tasks.size(), graph.edges.size(),
               [&graph](std::uint32_t e) {
                 return graph.edges[e].removed ? no_index : graph.edges[e].from;
               }),
        edge_to_(graph.edges.size()),
        waits_(graph.tasks.size(), graph.waits.size(),
               [&graph](std::uint32_t w) { return graph.waits[w]; }),
        wait_of_(graph.waits.size(), no_index),
        pending_(graph.tasks.size()),
        ready_(graph.tasks.size(), never),
        steps_(graph.steps.size()),
        throughput_(graph.traits.size()),
        look_again_(graph.traits.size(), never),
        collectives_(graph) {
    result_.stand_ins = graph.stand_ins;
    result_.start.assign(graph.tasks.size(), never);
    result_.end.assign(graph.tasks.size(), never);
    result_.step_start.assign(graph.steps.size(), never);
    result_.step_end.assign(graph.steps.size(), never);
    for (const EngineTraits& traits : graph.traits) {
      compute_.emplace_back(graph);
      copies_.emplace_back(traits);
    }
    prepare();
  }

  Replayed run() {
    do {
      while (!events_.empty()) {
        const Event event = events_.top();
        events_.pop();
        now_ = event.time;
        handle(event);
      }
    } while (go_on_without_the_others());
    for (std::uint32_t t = 0; t < graph_.tasks.size(); ++t) {
      if (result_.end[t] != never) continue;
      ++result_.stuck;
      result_.start[t] = graph_.tasks[t].start;
      result_.end[t] = graph_.tasks[t].end;
    }
    for (std::uint32_t s = 0; s < graph_.steps.size(); ++s) {
      if (result_.step_end[s] != never) continue;
      result_.step_start[s] = graph_.steps[s].start;
      result_.step_end[s] = graph_.steps[s].end;
    }
    result_.is_in_doubt = graph_.is_in_doubt;
    for (const SharedThroughput& one : throughput_) result_.is_in_doubt |= one.is_in_doubt();
    return std::move(result_);
  }

 private:
  struct StepState {
    std::int64_t ready = never;  // when it may begin, as far as is known
    std::int64_t begin = never;
    std::int64_t until = never;  // the end of what it waits for, as far as is known
    std::uint32_t waits = 0;     // that have not ended
    std::uint8_t inputs = 0;     // steps that have not ended
  };

  void prepare() {
    for (std::uint32_t t = 0; t < graph_.tasks.size(); ++t) {
      for (std::uint32_t e = graph_.edge_begin[t]; e < graph_.edge_begin[t + 1]; ++e) {
        edge_to_[e] = t;
        pending_[t] += graph_.edges[e].removed ? 0U : 1U;
      }
      if (graph_.tasks[t].step != no_index) {
        ++pending_[t];
      } else {
        ready_[t] = graph_.tasks[t].start;
      }
      if (pending_[t] == 0) push(ready_[t], EventKind::ready, t);
    }
    for (std::uint32_t s = 0; s < graph_.steps.size(); ++s) {
      const Step& step = graph_.steps[s];
      steps_[s].waits = step.wait_count;
      for (std::uint32_t w = 0; w < step.wait_count; ++w) wait_of_[step.first_wait + w] = s;
      if (step.after != no_index) {
        after_[step.after].push_back(s);
        ++steps_[s].inputs;
      }
    }
    is_last_.assign(graph_.steps.size(), false);
    for (const ThreadSteps& thread : graph_.threads) {
      if (thread.first == thread.last) continue;
      is_last_[thread.last - 1] = true;
      for (std::uint32_t s = thread.first + 1; s < thread.last; ++s) ++steps_[s].inputs;
      StepState& first = steps_[thread.first];
      first.ready = graph_.steps[thread.first].after == no_index
                        ? graph_.begin + graph_.steps[thread.first].gap
                        : never;
      if (first.inputs == 0) push(first.ready, EventKind::step_begins, thread.first);
    }
  }

  void push(std::int64_t time, EventKind kind, std::uint32_t index, std::uint32_t version = 0) {
    events_.push({time, kind, index, version});
  }

  void handle(const Event& event) {
    switch (event.kind) {
      case EventKind::task_ends:
        end_task(event);
        break;
      case EventKind::room_made:
        if (event.version == 0) {
          make_room(event.index, event.time);
        } else {
          let_in(event);
        }
        break;
      case EventKind::wave_ends:
        admit(static_cast<std::uint16_t>(event.index), event.time);
        break;
      case EventKind::step_ends:
        end_step(event.index, event.time);
        break;
      case EventKind::step_begins:
        begin_step(event.index, event.time);
        break;
      case EventKind::ready:
        make_ready(event.index, event.time);
        break;
      case EventKind::starts:
        start(event.index, event.time);
        break;
    }
  }

  std::int64_t usual_latency(Cause cause, Engine engine) {
    const Latency& latency = graph_.latencies.of(cause, engine);
    if (latency.assumed) result_.stand_ins.insert(latency.assumed->name);
    return latency.typical;
  }

  // The latency between a release and the start: what the task was seen to take when this is what
  // held it up, and otherwise the usual, but no more than there was.
  std::int64_t latency(std::uint32_t t, std::int64_t recorded_release, Cause cause,
                       std::uint32_t from) {
    const Binding& binding = graph_.bindings[t];
    const Task& task = graph_.tasks[t];
    if (binding.from == from && (from == no_index || binding.cause == cause)) return binding.lag;
    std::int64_t usual = usual_latency(cause, task.engine);
    if (graph_.is_blind) return usual;
    // Where the task had started before, it is a fix that makes it wait.
    if (task.start < recorded_release - assumed::clock_tolerance) return usual;
    if (binding.cause == Cause::sm_saturated && binding.from != no_index) {
      // It lost a race: when it became ready, the other one had just taken the room.
      const std::int64_t taken =
          graph_.tasks[binding.from].start + assumed::dealing_out + 1 - recorded_release;
      if (taken <= assumed::longest_latency) usual = std::max(usual, taken);
    }
    return std::min(usual, task.start - recorded_release);
  }

  void release(std::uint32_t t, std::int64_t time) {
    ready_[t] = std::max(ready_[t], time);
    if (--pending_[t] == 0) push(ready_[t], EventKind::ready, t);
  }

  void follow_edges(std::uint32_t t, bool from_start, std::int64_t time) {
    for (std::uint32_t i = edges_.begin[t]; i < edges_.begin[t + 1]; ++i) {
      const std::uint32_t e = edges_.members[i];
      const Edge& edge = graph_.edges[e];
      if (edge.from_start != from_start) continue;
      const std::int64_t recorded = from_start ? graph_.tasks[t].start : graph_.tasks[t].end;
      release(edge_to_[e], time + latency(edge_to_[e], recorded, edge.cause, t));
    }
  }

  void begin_step(std::uint32_t s, std::int64_t now) {
    const Step& step = graph_.steps[s];
    steps_[s].begin = now;
    result_.step_start[s] = now;
    for (std::uint32_t t = step.first_task; t < step.first_task + step.task_count; ++t) {
      const std::int64_t offset = std::min(graph_.tasks[t].issue_offset, step.busy);
      release(t, now + offset + latency(t, step.start + offset, Cause::launch_overhead, no_index));
    }
    if (steps_[s].waits == 0) finish_step(s);
  }

  void finish_step(std::uint32_t s) {
    const Step& step = graph_.steps[s];
    std::int64_t end = steps_[s].begin + step.busy;
    if (steps_[s].until != never) end = std::max(end, steps_[s].until + step.tail);
    push(end, EventKind::step_ends, s);
  }

  void end_step(std::uint32_t s, std::int64_t now) {
    result_.step_end[s] = now;
    if (!is_last_[s]) pass_to_step(s + 1, now + graph_.steps[s + 1].gap);
    const auto followers = after_.find(s);
    if (followers == after_.end()) return;
    for (const std::uint32_t f : followers->second) {
      pass_to_step(f, now + graph_.steps[f].after_gap);
    }
  }

  void pass_to_step(std::uint32_t s, std::int64_t ready) {
    StepState& state = steps_[s];
    state.ready = std::max(state.ready, ready);
    if (--state.inputs == 0) push(state.ready, EventKind::step_begins, s);
  }

  void make_ready(std::uint32_t t, std::int64_t now) {
    const Task& task = graph_.tasks[t];
    if (task.op == no_index) {
      start(t, now);
    } else if (copies_[task.device].is_exclusive(task.engine)) {
      if (copies_[task.device].take(task.engine, t)) start(t, now);
    } else if (task.engine == Engine::compute) {
      compute_[task.device].enqueue(t, now);
      admit(task.device, now);
    } else {
      start(t, now);
    }
  }

  void admit(std::uint16_t device, std::int64_t now) {
    while (true) {
      const std::uint32_t t = compute_[device].admit(now);
      if (t == no_index) break;
      for (const std::uint32_t other : compute_[device].take_crowded()) {
        if (result_.start[other] == never) continue;
        ++first_blocks_[other];
        take_away(other, now);
        schedule_next(device, now);
      }
      const std::int64_t wait = now - ready_[t];
      push(wait > 0 ? now + room_latency(t) : now, EventKind::starts, t);
    }
    const std::int64_t next = compute_[device].look_again(now);
    if (next == never || next == look_again_[device]) return;
    look_again_[device] = next;
    push(next, EventKind::wave_ends, device);
  }

  // From the end of what took the room, or the engine, to the start.
  std::int64_t room_latency(std::uint32_t t) {
    const Binding& binding = graph_.bindings[t];
    const bool was_held =
        binding.cause == Cause::sm_saturated || binding.cause == Cause::copy_engine;
    const Cause cause =
        graph_.tasks[t].engine == Engine::compute ? Cause::sm_saturated : Cause::copy_engine;
    return was_held ? std::max<std::int64_t>(0, binding.lag)
                    : std::max<std::int64_t>(0, usual_latency(cause, graph_.tasks[t].engine));
  }

  void start(std::uint32_t t, std::int64_t now) {
    const Task& task = graph_.tasks[t];
    result_.start[t] = now;
    follow_edges(t, true, now);
    if (task.op != no_index && copies_[task.device].is_exclusive(task.engine)) {
      finish_at(copies_[task.device].start(task.engine, t, task.work, now));
      return;
    }
    if (task.op != no_index && task.engine == Engine::compute &&
        !compute_[task.device].has_all_room(t, now)) {
      // Its first blocks end then and make room; the others have not begun. Blocks that wait for
      // those of other devices do not end before all are there.
      if (task.rank == no_index) push(now + task.work, EventKind::room_made, t);
      return;
    }
    run_to_the_end(t, now);
  }

  // All that a task needs is there.
  void run_to_the_end(std::uint32_t t, std::int64_t now) {
    const Task& task = graph_.tasks[t];
    const bool lets_in = task.lets_in > 0 && task.geometry != no_index;
    if (task.kernel_class != no_index) {
      SharedThroughput& throughput = throughput_[task.device];
      throughput.add(demand_of(graph_, task), doubt_of(graph_, task), now);
      if (task.rank == no_index) {
        throughput.end_after(t, static_cast<double>(task.work) + task.work_rest,
                             lets_in ? task.lets_in_work : 0);
      }
      schedule_next(task.device, now);
    }
    if (task.rank == no_index) {
      if (task.kernel_class == no_index) push(now + task.work, EventKind::task_ends, t);
      return;
    }
    if (lets_in) {
      push(now + std::max<std::int64_t>(0, task.work - task.lets_in), EventKind::room_made, t);
    }
    for (const auto& [rank, end] : collectives_.join(t, now)) {
      push(end, EventKind::task_ends, rank);
    }
  }

  void take_away(std::uint32_t t, std::int64_t now) {
    const Task& task = graph_.tasks[t];
    throughput_[task.device].remove(demand_of(graph_, task), doubt_of(graph_, task), now);
  }

  void schedule_next(std::uint16_t device, std::int64_t now) {
    const auto next = throughput_[device].next(now);
    if (!next) return;
    push(next->time, next->ends ? EventKind::task_ends : EventKind::room_made, next->task,
         next->version);
  }

  void let_in(const Event& event) {
    const std::uint16_t device = graph_.tasks[event.index].device;
    if (!throughput_[device].is_newest(event.version)) return;
    throughput_[device].take_first();
    schedule_next(device, event.time);
    make_room(event.index, event.time);
  }

  // Nothing happens any more, but ranks of collectives wait for others, which are held up by them:
  // a program that would hang. Whether true or a weakness of the model, the others are left out.
  bool go_on_without_the_others() {
    const auto ends = collectives_.give_up(now_);
    for (const auto& [rank, end] : ends) push(end, EventKind::task_ends, rank);
    return !ends.empty();
  }

  void finish_at(const std::vector<CopyEngines::Finish>& finishes) {
    for (const CopyEngines::Finish& finish : finishes) {
      push(finish.time, EventKind::task_ends, finish.task, finish.version);
    }
  }

  void make_room(std::uint32_t t, std::int64_t now) {
    const std::uint16_t device = graph_.tasks[t].device;
    for (const std::uint32_t other : compute_[device].leave(t)) {
      // One that is still on its way finds out when it starts.
      if (result_.start[other] != never) run_to_the_end(other, now);
    }
    admit(device, now);
  }

  void end_task(const Event& event) {
    const std::uint32_t t = event.index;
    const Task& task = graph_.tasks[t];
    const bool is_copy = task.op != no_index && copies_[task.device].is_exclusive(task.engine);
    if (is_copy && !copies_[task.device].is_current(task.engine, t, event.version)) return;
    const auto first_blocks = first_blocks_.find(t);
    if (task.kernel_class != no_index) {
      if (task.rank == no_index) {
        if (!throughput_[task.device].is_newest(event.version)) return;
        throughput_[task.device].take_first();
      }
      if (first_blocks == first_blocks_.end()) take_away(t, event.time);
      schedule_next(task.device, event.time);
    }
    if (first_blocks != first_blocks_.end()) {
      if (--first_blocks->second == 0) first_blocks_.erase(first_blocks);
      make_room(t, event.time);
      return;
    }
    result_.end[t] = event.time;
    if (is_copy) {
      finish_at(copies_[task.device].end(task.engine, event.time));
      const std::uint32_t next = copies_[task.device].release(task.engine);
      if (next != no_index) push(event.time + room_latency(next), EventKind::starts, next);
    } else if (task.op != no_index && task.engine == Engine::compute) {
      make_room(t, event.time);
    }
    follow_edges(t, false, event.time);
    for (std::uint32_t i = waits_.begin[t]; i < waits_.begin[t + 1]; ++i) {
      const std::uint32_t s = wait_of_[waits_.members[i]];
      if (s == no_index) continue;
      StepState& state = steps_[s];
      state.until = std::max(state.until, event.time);
      if (--state.waits == 0 && state.begin != never) finish_step(s);
    }
  }

  const Graph& graph_;
  Successors edges_;
  std::vector<std::uint32_t> edge_to_;
  Successors waits_;
  std::vector<std::uint32_t> wait_of_;  // the step of each of Graph::waits
  std::vector<std::uint32_t> pending_;  // by task: what it still waits for
  std::vector<std::int64_t> ready_;
  std::vector<StepState> steps_;
  std::vector<bool> is_last_;  // of its thread
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> after_;
  std::vector<ComputeEngine> compute_;
  std::vector<CopyEngines> copies_;
  std::vector<SharedThroughput> throughput_;  // by device
  std::vector<std::int64_t> look_again_;      // by device: the wave whose end is awaited
  CollectivesUnderWay collectives_;
  // Kernels of which, when their next so many ends come, only the first blocks have run.
  std::unordered_map<std::uint32_t, std::uint32_t> first_blocks_;
  std::int64_t now_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Replayed result_;
};

}  // namespace

Replayed replay(const Graph& graph) { return Simulation(graph).run(); }

}  // namespace lapscope::analyzer
