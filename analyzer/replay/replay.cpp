#include "analyzer/replay/replay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "analyzer/graph/constraint.h"
#include "analyzer/graph/sharing.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/replay/collectives_under_way.h"
#include "analyzer/replay/compute_engine.h"
#include "analyzer/replay/copy_engines.h"
#include "analyzer/replay/event_queue.h"
#include "analyzer/replay/last_waves.h"
#include "analyzer/replay/late_begin.h"
#include "analyzer/replay/shared_throughput.h"

namespace lapscope::analyzer {
namespace {

// What follows a task: a task that waits for its start or end, or a step that waits for its end.
struct Follower {
  std::uint32_t index = 0;  // in Graph::tasks, or Graph::steps
  Cause cause = Cause::unexplained;
  bool from_start = false;
  bool is_step = false;
};

class Simulation {
 public:
  explicit Simulation(const Graph& graph)
      : graph_(graph),
        tasks_(graph.tasks.values()),
        steps_(graph.steps.values()),
        bindings_(graph.bindings.values()),
        pending_(graph.tasks.size()),
        states_(graph.steps.size()),
        throughput_(graph.traits.size()),
        look_again_(graph.traits.size(), never),
        last_waves_(graph),
        collectives_(graph),
        late_begin_(graph) {
    result_.stand_ins = graph.stand_ins;
    result_.start.assign(tasks_.size(), never);
    result_.end.assign(tasks_.size(), never);
    result_.step_start.assign(steps_.size(), never);
    result_.step_end.assign(steps_.size(), never);
    for (const EngineTraits& traits : graph.traits) {
      compute_.emplace_back(graph);
      copies_.emplace_back(traits);
    }
    prepare();
  }

  Replayed run() {
    do {
      while (!events_.empty()) {
        const Event event = events_.pop();
        now_ = event.time;
        handle(event);
      }
    } while (go_on_without_the_others());
    for (std::uint32_t t = 0; t < tasks_.size(); ++t) {
      if (pending_[t] == done) continue;
      ++result_.stuck;
      result_.start[t] = tasks_[t].start;
      result_.end[t] = tasks_[t].end;
    }
    for (std::uint32_t s = 0; s < steps_.size(); ++s) {
      if (states_[s].has_ended) continue;
      result_.step_start[s] = steps_[s].start;
      result_.step_end[s] = steps_[s].end;
    }
    note_stand_ins();
    result_.is_in_doubt = graph_.is_in_doubt;
    for (const SharedThroughput& one : throughput_) {
      result_.is_in_doubt |= one.is_in_doubt();
      result_.in_doubt_ns += one.in_doubt_ns();
    }
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t done = no_index;

  // Until a step begins, its start in the result is when it may, as far as is known; and until it
  // ends, its end is that of what it waits for.
  struct StepState {
    std::uint32_t waits = 0;  // tasks that have not ended
    std::uint8_t inputs = 0;  // steps that have not
    bool has_begun = false;
    bool has_ended = false;
    bool is_last = false;     // of its thread
    bool has_others = false;  // in after_
  };

  void prepare() {
    find_followers();
    for (std::uint32_t t = 0; t < tasks_.size(); ++t) {
      if (tasks_[t].step != no_index) {
        ++pending_[t];
      } else {
        ready(t) = tasks_[t].start;
      }
      if (pending_[t] == 0) push(ready(t), EventKind::ready, t);
    }
    for (std::uint32_t s = 0; s < steps_.size(); ++s) {
      const Step& step = steps_[s];
      states_[s].waits = step.wait_count;
      if (step.after_task != no_index) {
        after_task_[step.after_task].push_back(s);
        ++states_[s].inputs;
      }
      if (step.after == no_index) continue;
      after_[step.after].push_back(s);
      states_[step.after].has_others = true;
      ++states_[s].inputs;
    }
    for (const ThreadSteps& thread : graph_.threads) {
      if (thread.first == thread.last) continue;
      states_[thread.last - 1].is_last = true;
      for (std::uint32_t s = thread.first + 1; s < thread.last; ++s) ++states_[s].inputs;
      if (steps_[thread.first].after != no_index) continue;
      const std::int64_t begins = graph_.begin + steps_[thread.first].gap;
      result_.step_start[thread.first] = begins;
      push(begins, EventKind::step_begins, thread.first);
    }
  }

  // And how many edges each task waits for.
  void find_followers() {
    const std::vector<Edge>& edges = graph_.edges.values();
    const std::vector<std::uint32_t>& edge_begin = graph_.edge_begin.values();
    const std::vector<std::uint32_t>& waits = graph_.waits.values();
    begin_.resize(tasks_.size() + 1);
    for (const Edge& edge : edges) ++begin_[edge.from];
    for (const Step& step : steps_) {
      for (std::uint32_t w = 0; w < step.wait_count; ++w) ++begin_[waits[step.first_wait + w]];
    }
    // First where those of each task end, then, as they are filled in from the last one on, where
    // they begin.
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    followers_.resize(begin_.back());
    for (auto s = static_cast<std::uint32_t>(steps_.size()); s-- > 0;) {
      for (std::uint32_t w = steps_[s].wait_count; w-- > 0;) {
        const std::uint32_t from = waits[steps_[s].first_wait + w];
        followers_[--begin_[from]] = {s, Cause::unexplained, false, true};
      }
    }
    for (auto t = static_cast<std::uint32_t>(tasks_.size()); t-- > 0;) {
      for (std::uint32_t e = edge_begin[t + 1]; e-- > edge_begin[t];) {
        const Edge& edge = edges[e];
        followers_[--begin_[edge.from]] = {t, edge.cause, edge.from_start, false};
        ++pending_[t];
      }
    }
  }

  // Until a task ends, its end in the result is when it may start, as far as is known.
  std::int64_t& ready(std::uint32_t t) { return result_.end[t]; }

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
    if (latency.assumed) {
      was_assumed_[static_cast<std::size_t>(cause)][static_cast<std::size_t>(engine)] = true;
    }
    return latency.typical;
  }

  void note_stand_ins() {
    for (std::size_t cause = 0; cause < cause_count; ++cause) {
      for (const Engine engine : all_engines) {
        if (!was_assumed_[cause][static_cast<std::size_t>(engine)]) continue;
        const Latency& latency = graph_.latencies.of(static_cast<Cause>(cause), engine);
        result_.stand_ins.insert(latency.assumed->name);
      }
    }
  }

  // The latency between a release and the start: what the task was seen to take when this is what
  // held it up, and otherwise the usual, but no more than there was.
  std::int64_t latency(std::uint32_t t, std::int64_t recorded_release, Cause cause,
                       std::uint32_t from) {
    const Binding& binding = bindings_[t];
    const Task& task = tasks_[t];
    if (binding.from == from && (from == no_index || binding.cause == cause)) {
      return binding.lag + late_begin_.of(t);
    }
    std::int64_t usual = usual_latency(cause, task.engine);
    if (graph_.is_blind) return usual;
    // Where the task had started before, it is a fix that makes it wait.
    if (task.start < recorded_release - assumed::clock_tolerance) return usual;
    if (binding.cause == Cause::sm_saturated && binding.from != no_index) {
      // It lost a race: when it became ready, the other one had just taken the room.
      const std::int64_t taken =
          tasks_[binding.from].start + assumed::dealing_out + 1 - recorded_release;
      if (taken <= assumed::longest_latency) usual = std::max(usual, taken);
    }
    return std::min(usual, task.start - recorded_release);
  }

  void release(std::uint32_t t, std::int64_t time) {
    ready(t) = std::max(ready(t), time);
    if (--pending_[t] != 0) return;
    ready(t) = std::max(ready(t), late_begin_.held_until(t));
    push(ready(t), EventKind::ready, t);
  }

  void follow(std::uint32_t t, bool from_start, std::int64_t time) {
    const std::int64_t recorded = from_start ? tasks_[t].start : tasks_[t].end;
    for (std::uint32_t i = begin_[t]; i < begin_[t + 1]; ++i) {
      const Follower& next = followers_[i];
      if (next.from_start != from_start) continue;
      if (next.is_step) {
        pass_end_to_step(next.index, time);
      } else {
        release(next.index, time + latency(next.index, recorded, next.cause, t));
      }
    }
  }

  void pass_end_to_step(std::uint32_t s, std::int64_t time) {
    StepState& state = states_[s];
    result_.step_end[s] = std::max(result_.step_end[s], time);
    if (--state.waits == 0 && state.has_begun) finish_step(s);
  }

  void begin_step(std::uint32_t s, std::int64_t now) {
    const Step& step = steps_[s];
    states_[s].has_begun = true;
    result_.step_start[s] = now;
    for (std::uint32_t t = step.first_task; t < step.first_task + step.task_count; ++t) {
      const std::int64_t offset = std::min(tasks_[t].issue_offset, step.busy);
      release(t, now + offset + latency(t, step.start + offset, Cause::launch_overhead, no_index));
    }
    if (states_[s].waits == 0) finish_step(s);
  }

  // Its end is known from now on. Nothing else depends on it than the steps that come after, which
  // begin then at the soonest.
  void finish_step(std::uint32_t s) {
    const Step& step = steps_[s];
    std::int64_t& end = result_.step_end[s];
    const std::int64_t until = end;
    end = result_.step_start[s] + step.busy;
    if (until != never) end = std::max(end, until + step.tail);
    states_[s].has_ended = true;
    last_step_ = std::max(last_step_, end);
    if (!states_[s].is_last) pass_to_step(s + 1, end + steps_[s + 1].gap);
    if (!states_[s].has_others) return;
    for (const std::uint32_t f : after_.at(s)) pass_to_step(f, end + steps_[f].after_gap);
  }

  void pass_to_step(std::uint32_t s, std::int64_t time) {
    std::int64_t& begins = result_.step_start[s];
    begins = std::max(begins, time);
    if (--states_[s].inputs == 0) push(begins, EventKind::step_begins, s);
  }

  void make_ready(std::uint32_t t, std::int64_t now) {
    const Task& task = tasks_[t];
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
      const std::int64_t wait = now - ready(t);
      push(wait > 0 ? now + room_latency(t) : now, EventKind::starts, t);
    }
    const std::int64_t next = compute_[device].look_again(now);
    if (next == never || next == look_again_[device]) return;
    look_again_[device] = next;
    push(next, EventKind::wave_ends, device);
  }

  // From the end of what took the room, or the engine, to the start.
  std::int64_t room_latency(std::uint32_t t) {
    const Binding& binding = bindings_[t];
    const bool was_held =
        binding.cause == Cause::sm_saturated || binding.cause == Cause::copy_engine;
    const Cause cause =
        tasks_[t].engine == Engine::compute ? Cause::sm_saturated : Cause::copy_engine;
    return was_held ? std::max<std::int64_t>(0, binding.lag + late_begin_.of(t))
                    : std::max<std::int64_t>(0, usual_latency(cause, tasks_[t].engine));
  }

  void start(std::uint32_t t, std::int64_t now) {
    const Task& task = tasks_[t];
    result_.start[t] = now;
    follow(t, true, now);
    if (task.op != no_index && copies_[task.device].is_exclusive(task.engine)) {
      finish_at(copies_[task.device].start(task.engine, t, task.work, now));
      return;
    }
    if (task.op != no_index && task.engine == Engine::compute &&
        !compute_[task.device].has_all_room(t, now)) {
      // Its first blocks end then and make room; the others have not begun. Blocks that wait for
      // those of other devices do not end before all are there.
      if (task.rank == no_index) push(now + first_blocks_take(task), EventKind::room_made, t);
      return;
    }
    run_to_the_end(t, now);
  }

  // They take nothing from others: at either end of what kernels may share as long as recorded.
  std::int64_t first_blocks_take(const Task& task) const {
    return graph_.sharing == Sharing::least ? task.work : std::max(task.work, task.lasted);
  }

  // All that a task needs is there.
  void run_to_the_end(std::uint32_t t, std::int64_t now) {
    const Task& task = tasks_[t];
    if (task.kernel_class != no_index) {
      SharedThroughput& throughput = throughput_[task.device];
      throughput.add(demand_of(graph_, task), doubt_of(graph_, task), now);
      if (task.rank == no_index) {
        const bool may_have_waited = last_waves_.is_under_way(task.device, now);
        const Course own = last_waves_.start(t, now, may_have_waited ? room_latency(t) : 0);
        throughput.end_after(t, own.work, own.lets_in);
      }
      schedule_next(task.device, now);
    }
    if (task.rank == no_index) {
      if (task.kernel_class == no_index) push(now + task.work, EventKind::task_ends, t);
      return;
    }
    if (task.lets_in > 0 && task.geometry != no_index) {
      push(now + std::max<std::int64_t>(0, task.work - task.lets_in), EventKind::room_made, t);
    }
    for (const auto& [rank, end] : collectives_.join(t, now)) {
      push(end, EventKind::task_ends, rank);
    }
  }

  void take_away(std::uint32_t t, std::int64_t now) {
    const Task& task = tasks_[t];
    throughput_[task.device].remove(demand_of(graph_, task), doubt_of(graph_, task), now);
  }

  void schedule_next(std::uint16_t device, std::int64_t now) {
    const auto next = throughput_[device].next(now);
    if (!next) return;
    push(next->time, next->ends ? EventKind::task_ends : EventKind::room_made, next->task,
         next->version);
  }

  void let_in(const Event& event) {
    const std::uint16_t device = tasks_[event.index].device;
    if (!throughput_[device].is_newest(event.version)) return;
    throughput_[device].take_first();
    schedule_next(device, event.time);
    last_waves_.let_in(event.index, event.time);
    make_room(event.index, event.time);
  }

  // Nothing happens any more, but ranks of collectives wait for others, which are held up by them:
  // a program that would hang. Whether true or a weakness of the model, the others are left out.
  bool go_on_without_the_others() {
    now_ = std::max(now_, last_step_);
    const auto ends = collectives_.give_up(now_);
    for (const auto& [rank, end] : ends) push(end, EventKind::task_ends, rank);
    return !ends.empty();
  }

  void finish_at(const CopyEngines::Finishes& finishes) {
    for (const CopyEngines::Finish& finish : finishes) {
      push(finish.time, EventKind::task_ends, finish.task, finish.version);
    }
  }

  void make_room(std::uint32_t t, std::int64_t now) {
    const std::uint16_t device = tasks_[t].device;
    for (const std::uint32_t other : compute_[device].leave(t)) {
      // One that is still on its way finds out when it starts.
      if (result_.start[other] != never) run_to_the_end(other, now);
    }
    admit(device, now);
  }

  void end_task(const Event& event) {
    const std::uint32_t t = event.index;
    const Task& task = tasks_[t];
    const bool is_copy = task.op != no_index && copies_[task.device].is_exclusive(task.engine);
    if (is_copy && !copies_[task.device].is_current(task.engine, t, event.version)) return;
    const auto first_blocks = first_blocks_.empty() ? first_blocks_.end() : first_blocks_.find(t);
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
    pending_[t] = done;
    if (is_copy) {
      finish_at(copies_[task.device].end(task.engine, event.time));
      const std::uint32_t next = copies_[task.device].release(task.engine);
      if (next != no_index) push(event.time + room_latency(next), EventKind::starts, next);
    } else if (task.op != no_index && task.engine == Engine::compute) {
      if (compute_[task.device].is_waited_for()) {
        result_.last_waves_ns += std::llround(last_waves_.spare(t));
      }
      make_room(t, event.time);
    }
    follow(t, false, event.time);
    const auto woken = after_task_.empty() ? after_task_.end() : after_task_.find(t);
    if (woken == after_task_.end()) return;
    for (const std::uint32_t s : woken->second) pass_to_step(s, event.time + steps_[s].after_gap);
  }

  const Graph& graph_;
  const std::vector<Task>& tasks_;
  const std::vector<Step>& steps_;
  const std::vector<Binding>& bindings_;
  std::vector<std::uint32_t> begin_;  // those of task t are followers_[begin_[t], begin_[t + 1])
  std::vector<Follower> followers_;
  std::vector<std::uint32_t> pending_;  // by task: what it still waits for; or done
  std::vector<StepState> states_;       // by step
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> after_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> after_task_;
  std::vector<ComputeEngine> compute_;
  std::vector<CopyEngines> copies_;
  std::vector<SharedThroughput> throughput_;  // by device
  std::vector<std::int64_t> look_again_;      // by device: the wave whose end is awaited
  LastWaves last_waves_;
  CollectivesUnderWay collectives_;
  const LateBegin late_begin_;
  // Kernels of which, when their next so many ends come, only the first blocks have run.
  std::unordered_map<std::uint32_t, std::uint32_t> first_blocks_;
  std::int64_t now_ = 0;
  std::int64_t last_step_ = never;  // the last end of one
  EventQueue events_;
  std::array<std::array<bool, all_engines.size()>, cause_count> was_assumed_{};
  Replayed result_;
};

}  // namespace

Replayed replay(const Graph& graph) { return Simulation(graph).run(); }

Replayed replay_tasks(const Graph& graph) {
  Replayed replayed = replay(graph);
  replayed.step_start = {};
  replayed.step_end = {};
  return replayed;
}

}  // namespace lapscope::analyzer
