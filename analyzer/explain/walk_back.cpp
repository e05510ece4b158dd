#include "analyzer/explain/walk_back.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/model/limits.h"

namespace lapscope::analyzer {
namespace {

Cause cause_of(OverheadKind kind) {
  switch (kind) {
    case OverheadKind::profiler:
      return Cause::profiler;
    case OverheadKind::module_load:
      return Cause::module_load;
    case OverheadKind::command_buffer_full:
      return Cause::launch_overhead;
  }
  return Cause::profiler;
}

// The calls that had to end before a call could begin. `own` is the previous call of the same
// thread. `other` is a call of another thread. It is set only if it ended later than `own`.
struct Ahead {
  std::uint32_t own = no_index;  // no_index for a thread's first call
  Ns own_end = never;
  std::uint32_t other = no_index;
};

Ahead ahead_of(const Graph& graph, std::uint32_t s) {
  const Step& step = graph.steps[s];
  Ahead ahead;
  if (thread_of(graph, s).first != s) {
    ahead.own = s - 1;
    ahead.own_end = graph.times.steps[s - 1].end;
  }
  const Times& times = graph.times;
  const auto is_behind = [&](Ns end) { return end > ahead.own_end && end <= times.steps[s].start; };
  if (step.after != no_index && is_behind(times.steps[step.after].end)) {
    ahead.other = step.after;
  }
  return ahead;
}

// Walks back in time from the window's end to its start. The walk never goes forward, even where
// times in the graph contradict each other. So the parts fill the window.
class Walkback {
 public:
  Walkback(const Sources& sources, Interval window, std::vector<Part>& parts)
      : sources_(sources),
        calls_(sources.trace.calls),
        host_(sources.host),
        graph_(sources.graph),
        times_(sources.graph.times),
        until_(window.start),
        now_(window.end),
        parts_(parts) {}

  // Walks back to the start of the window, through everything that delayed `task`.
  void through_all(std::uint32_t task) {
    wait(Cause::not_issued, times_.tasks[task].end, {});
    // Steps and tasks may form a circle, so the walk is limited to twice their number.
    steps_left_ = 2 * (graph_.tasks.size() + graph_.steps.size());
    while (now_ > until_ && task != no_index && steps_left_-- > 0) task = through_task(task);
    wait(Cause::unexplained, until_, {});
  }

  // Walks through what the host did before it issued a task, over at most `steps` calls.
  void through_host(std::uint32_t task, std::uint32_t steps) {
    stays_ = true;
    steps_left_ = steps;
    const std::uint32_t issuing = graph_.tasks[task].step;
    wait_in_call(times_.steps[issuing].start, {task, issuing});
    through_thread(issuing, task);
  }

 private:
  void add(Part part, Ns from) {
    from = std::clamp(from, until_, now_);
    if (from == now_) return;
    part.interval = {from, now_};
    parts_.push_back(part);
    now_ = from;
  }
  struct Waiting {
    std::uint32_t task = no_index;
    std::uint32_t step = no_index;
    bool is_gap = false;
  };
  void wait(Cause cause, Ns from, Waiting waiting) {
    Part part;
    part.cause = cause;
    part.is_gap = waiting.is_gap;
    part.task = waiting.task;
    part.step = waiting.step;
    add(part, from);
  }

  // Adds the time in the call `waiting.step` after the time `from`. These times in the call become
  // separate parts:
  // - The recorder's own time, unless it was subtracted. It is at the end of the call.
  // - Overheads, unless a fix changed the length of the call. After a fix, their times are unknown.
  void wait_in_call(Ns from, Waiting waiting) {
    const Step& step = graph_.steps[waiting.step];
    const Interval& time = times_.steps[waiting.step];
    const Ns gone = calls_.interval(step.call).length() - time.length();
    const Ns charged = sources_.charge_of(waiting.step).call;
    if (gone == 0 && charged > 0) {
      wait(Cause::profiler, std::max(from, time.end - charged), waiting);
    }
    if (gone == 0 || gone == charged) split_off_overheads(step.cause, from, waiting);
    wait(step.cause, from, waiting);
  }

  // Adds the time outside CUDA between the call `before` and the call `waiting.step`. The two calls
  // may be in different threads: for example, the thread of `before` held a lock that the other
  // thread waited for.
  void wait_between(std::uint32_t before, Cause cause, Waiting waiting) {
    const Interval& ahead = times_.steps[before];
    const Ns recorded =
        calls_.start[graph_.steps[waiting.step].call] - calls_.end[graph_.steps[before].call];
    const Ns gone = recorded - (times_.steps[waiting.step].start - ahead.end);
    const Ns charged = sources_.charge_of(waiting.step).before;
    const Ns own = ahead.end + (gone == 0 ? charged : 0);
    if (gone == 0 || gone == charged) split_off_overheads(cause, own, waiting);
    wait(cause, own, waiting);
    wait(Cause::profiler, ahead.end, waiting);
  }

  // Adds a part for each overhead of the thread after the time `from`, and a part for the time
  // after each overhead. The part for an overhead has the cause of the overhead, and the part for
  // the time after it has the cause `cause`. Adds nothing for the time before the earliest of these
  // overheads. If a replay moved the step, the overheads move by the same time.
  void split_off_overheads(Cause cause, Ns from, Waiting waiting) {
    const auto overheads = host_.overheads_of(thread_of(graph_, waiting.step).global_tid);
    const Ns moved =
        times_.steps[waiting.step].start - calls_.start[graph_.steps[waiting.step].call];
    auto after = std::ranges::partition_point(overheads, [&](const Overhead& overhead) {
      return overhead.interval.start + moved < now_;
    });
    while (after != overheads.begin() && (--after)->interval.end + moved > from) {
      wait(cause, after->interval.end + moved, waiting);
      wait(cause_of(after->kind), std::max(from, after->interval.start + moved), waiting);
    }
  }

  // Adds a task's work and the wait before it. Returns the task to continue with, or no_index.
  std::uint32_t through_task(std::uint32_t t) {
    const Task& task = graph_.tasks[t];
    if (task.op == no_index) {
      wait(Cause::host_func, times_.tasks[t].start, {t, task.step});
    } else {
      add({{}, true, task.works_on(), task.device, waited_by_, false, t, no_index},
          times_.tasks[t].start);
    }
    const Binding& binding = graph_.bindings[t];
    if (binding.release == never) return no_index;
    wait(Cause::unexplained, binding.release + binding.lag, {t});
    if (binding.from == no_index) {
      wait(Cause::launch_latency, binding.release, {t, task.step});
      wait_in_call(times_.steps[task.step].start, {t, task.step});
      return through_thread(task.step, t);
    }
    if (leads_back_to(binding.from, t)) return out_of_circle();
    wait(binding.cause, binding.release, {t});
    waited_by_ = binding.cause;
    return binding.from;
  }

  // Whether the walk would go in a circle if it continued with the task `from`. Circles exist
  // because clocks agree only to some us, so two tasks may seem to have waited for each other.
  // Two tasks of length 0 may also seem to have waited for each other.
  bool leads_back_to(std::uint32_t from, std::uint32_t t) {
    if (now_ != here_since_) here_.clear();
    here_since_ = now_;
    here_.insert(t);
    return here_.contains(from);
  }

  // Leaves a circle of tasks. Returns the task to continue with, or no_index. Considers the edges
  // from a task outside the circle to a task in the circle. If there are such edges, returns the
  // task at the beginning of the edge with the latest release. If there are none, walks back from
  // the last call that issued a task of the circle.
  std::uint32_t out_of_circle() {
    std::uint32_t leaving = no_index;
    const Edge* last = nullptr;
    Ns release = never;
    std::uint32_t issued = no_index;  // the task that the host issued last
    for (const std::uint32_t t : here_) {
      const Task& task = graph_.tasks[t];
      if (task.step != no_index &&
          (issued == no_index || issues_at(graph_, times_, graph_.tasks[issued].step) <
                                     issues_at(graph_, times_, task.step))) {
        issued = t;
      }
      for (std::uint32_t e = graph_.edge_begin[t]; e < graph_.edge_begin[t + 1]; ++e) {
        const Edge& edge = graph_.edges[e];
        const Ns released = released_at(times_, edge);
        if (released <= release || here_.contains(edge.from)) continue;
        leaving = t;
        last = &edge;
        release = released;
      }
    }
    if (last != nullptr) {
      wait(last->cause, release, {leaving});
      waited_by_ = last->cause;
      return last->from;
    }
    if (issued == no_index) return no_index;
    const std::uint32_t step = graph_.tasks[issued].step;
    wait_in_call(times_.steps[step].start, {issued, step});
    return through_thread(step, issued);
  }

  // Walks back through what a thread did before its call `s`. Stops at a task that the thread
  // waited for, and returns it. Returns no_index if there is none.
  std::uint32_t through_thread(std::uint32_t s, std::uint32_t t) {
    while (now_ > until_ && steps_left_ > 0) {
      --steps_left_;
      const Ahead ahead = ahead_of(graph_, s);
      const bool is_lock = graph_.steps[s].after_kind == After::lock;
      if (ahead.other != no_index) {
        wait_between(ahead.other, is_lock ? Cause::lock : Cause::host_compute, {t, s, true});
        if (stays_ && is_lock) wait(Cause::lock, ahead.own_end, {t, s, true});
        if (stays_) through_turn(ahead, t);
      } else if (ahead.own != no_index) {
        wait_between(ahead.own, Cause::host_compute, {t, s, true});
      }
      s = ahead.other != no_index && !stays_ ? ahead.other : ahead.own;
      if (s == no_index) return no_index;
      const std::uint32_t awaited = stays_ ? no_index : last_awaited(s);
      if (awaited != no_index) {
        wait_in_call(times_.tasks[awaited].end, {t, s});
        waited_by_ = graph_.steps[s].cause;
        return awaited;
      }
      wait_in_call(times_.steps[s].start, {t, s});
    }
    return no_index;
  }

  // Thread A waited until the call `ahead.other` of thread B ended. Walks back from the end of that
  // call through what B did. Stops at `ahead.own_end`, where A's previous call ended.
  void through_turn(const Ahead& ahead, std::uint32_t t) {
    const Ns until = std::exchange(until_, std::max(until_, ahead.own_end));
    if (now_ > until_) {
      wait_in_call(times_.steps[ahead.other].start, {t, ahead.other});
      through_thread(ahead.other, t);
      now_ = until_;
    }
    until_ = until;
  }

  // Of the tasks that a call waited for, returns the task that ended last. Returns no_index if all
  // of these tasks had ended before the call began.
  std::uint32_t last_awaited(std::uint32_t s) const {
    const Step& call = graph_.steps[s];
    std::uint32_t awaited = no_index;
    for (std::uint32_t w = call.first_wait; w < call.first_wait + call.wait_count; ++w) {
      const std::uint32_t one = graph_.waits[w];
      if (times_.tasks[one].end <= times_.steps[s].start) continue;
      if (awaited == no_index || times_.tasks[one].end > times_.tasks[awaited].end) awaited = one;
    }
    return awaited;
  }

  const Sources& sources_;
  const Calls& calls_;
  const HostTimeline& host_;
  const Graph& graph_;
  const Times& times_;
  // If true, the walk stays with the thread that issued the task, even where that thread waited.
  bool stays_ = false;
  Ns until_;  // the walk ends at this time
  Ns now_;
  std::size_t steps_left_ = 0;
  Cause waited_by_ = Cause::unexplained;
  std::set<std::uint32_t> here_;  // tasks that the walk went through at `here_since_`
  Ns here_since_ = never;
  std::vector<Part>& parts_;
};

}  // namespace

std::vector<Part> critical_path(const Sources& sources, std::uint32_t last, Interval window) {
  std::vector<Part> parts;
  Walkback(sources, window, parts).through_all(last);
  std::ranges::reverse(parts);
  return parts;
}

std::vector<Part> critical_path(const Sources& sources, std::span<const std::uint32_t> tasks,
                                Interval window) {
  if (tasks.empty()) return {};
  // Prefers ops of more than 0 ns, because an op of 0 ns does not end a gap.
  const auto key = [&sources](std::uint32_t t) {
    const Interval& task = sources.graph.times.tasks[t];
    return std::make_tuple(task.end > task.start, task.end, t);
  };
  const std::uint32_t last = *std::ranges::max_element(
      tasks, [&key](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return critical_path(sources, last, window);
}

TaskWaits::TaskWaits(const Sources& sources, std::span<const std::uint32_t> tasks, Interval window)
    : sources_(sources), window_(window) {
  // counts[n] is the number of tasks whose walk goes through n calls. The last element also counts
  // the tasks whose walk goes through more calls.
  std::vector<std::size_t> counts(limits::steps_back + 1);
  for (const std::uint32_t t : tasks) {
    if (waits_for_host(t)) ++counts[std::min<std::size_t>(calls_in(t), limits::steps_back)];
  }
  std::size_t longer = 0;  // tasks whose walk takes one more call
  for (const std::size_t count : counts) longer += count;
  std::size_t all = 0;
  while (steps_back_ < limits::steps_back) {
    longer -= counts[steps_back_];
    all += longer;
    if (all > limits::steps_back_in_all && steps_back_ >= limits::least_steps_back) return;
    ++steps_back_;
  }
}

bool TaskWaits::waits_for_host(std::uint32_t t) const {
  return sources_.graph.bindings[t].from == no_index && sources_.graph.tasks[t].step != no_index;
}

// Returns roughly how many calls the host made while the task waited only for the host.
std::size_t TaskWaits::calls_in(std::uint32_t t) const {
  const Interval free = this->free(t);
  if (free.start >= free.end) return 0;
  const std::uint32_t issuing = sources_.graph.tasks[t].step;
  const auto step = [this](std::uint32_t s) { return sources_.graph.times.steps.begin() + s; };
  const auto first =
      std::partition_point(step(thread_of(sources_.graph, issuing).first), step(issuing),
                           [&](const Interval& one) { return one.end <= free.start; });
  return static_cast<std::size_t>(step(issuing) - first) + 1;
}

Interval TaskWaits::free(std::uint32_t t) const {
  const Binding& binding = sources_.graph.bindings[t];
  return {std::max({binding.next_release, sources_.graph.begin, window_.start}),
          std::min(binding.release, window_.end)};
}

void TaskWaits::add_parts(std::uint32_t t, std::vector<Part>& parts) const {
  const Interval free = this->free(t);
  if (free.start >= free.end) return;
  if (waits_for_host(t)) {
    Walkback(sources_, free, parts).through_host(t, steps_back_);
    return;
  }
  const Binding& binding = sources_.graph.bindings[t];
  Part part;
  part.interval = free;
  part.cause = binding.cause;
  part.task = t;
  parts.push_back(part);
}

}  // namespace lapscope::analyzer
