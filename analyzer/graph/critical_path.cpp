#include "analyzer/graph/critical_path.h"

#include <algorithm>
#include <set>

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

// Walks back in time. Whatever the graph says, time only ever goes down, and stops at the window's
// start: that is why the parts fill the window.
class Walkback {
 public:
  Walkback(const Sources& sources, Interval window)
      : sources_(sources),
        calls_(sources.trace.calls),
        host_(sources.host),
        graph_(sources.graph),
        window_(window),
        now_(window.end) {}

  std::vector<PathPart> from(std::uint32_t task) {
    wait(Cause::not_issued, graph_.tasks[task].end, {});
    // The host may lead in a circle, too. No way is longer than all there is, gone twice.
    std::size_t most = 2 * (graph_.tasks.size() + graph_.steps.size());
    while (now_ > window_.start && task != no_index && most-- > 0) task = through_task(task);
    wait(Cause::unexplained, window_.start, {});
    std::reverse(parts_.begin(), parts_.end());
    return std::move(parts_);
  }

 private:
  void add(PathPart part, std::int64_t from) {
    from = std::clamp(from, window_.start, now_);
    if (from == now_) return;
    part.interval = {from, now_};
    parts_.push_back(part);
    now_ = from;
  }
  struct Waiting {
    std::uint32_t task = no_index;
    std::uint32_t step = no_index;
  };
  void wait(Cause cause, std::int64_t from, Waiting waiting) {
    PathPart part;
    part.cause = cause;
    part.task = waiting.task;
    part.step = waiting.step;
    add(part, from);
  }

  // In a call. A fix may have made it shorter, and then nobody knows what is left of overheads.
  // Of a call that is as long as recorded the recorder's part comes last; of one that is shorter by
  // that, it is gone.
  void wait_in_call(std::int64_t from, Waiting waiting) {
    const Step& step = graph_.steps[waiting.step];
    const std::int64_t gone = calls_.interval(step.call).length() - (step.end - step.start);
    const std::int64_t charged = sources_.charge_of(waiting.step).call;
    if (gone == 0 && charged > 0) {
      wait(Cause::profiler, std::max(from, step.end - charged), waiting);
    }
    if (gone == 0 || gone == charged) {
      split_off_overheads(step.cause, from, waiting, waiting.step);
    }
    wait(step.cause, from, waiting);
  }

  // Outside CUDA, between a call and the one behind it. From the call of another thread that held a
  // lock it is handed over.
  void wait_between(Waiting waiting, std::uint32_t behind) {
    const Step& before = graph_.steps[waiting.step];
    const Step& after = graph_.steps[behind];
    const bool is_lock = after.after == waiting.step && after.after_kind == After::lock;
    const Cause cause = is_lock ? Cause::lock : Cause::host_compute;
    const std::int64_t gone =
        calls_.start[after.call] - calls_.end[before.call] - (after.start - before.end);
    const std::int64_t charged = sources_.charge_of(behind).before;
    const std::int64_t own = before.end + (gone == 0 ? charged : 0);
    if (gone == 0 || gone == charged) {
      split_off_overheads(cause, own, waiting, behind);
    }
    wait(cause, own, waiting);
    wait(Cause::profiler, before.end, waiting);
  }

  // Goes back to the begin of the first overhead from an instant on. A replay may have moved the
  // step `clock`, and the overheads with it.
  void split_off_overheads(Cause cause, std::int64_t from, Waiting waiting, std::uint32_t clock) {
    const auto overheads = host_.overheads_of(thread_of(graph_, clock).global_tid);
    const std::int64_t moved = graph_.steps[clock].start - calls_.start[graph_.steps[clock].call];
    auto after = std::partition_point(
        overheads.begin(), overheads.end(),
        [&](const Overhead& overhead) { return overhead.interval.start + moved < now_; });
    while (after != overheads.begin() && (--after)->interval.end + moved > from) {
      wait(cause, after->interval.end + moved, waiting);
      wait(cause_of(after->kind), std::max(from, after->interval.start + moved), waiting);
    }
  }

  // The task that the walk goes on with; no_index when there is none.
  std::uint32_t through_task(std::uint32_t t) {
    const Task& task = graph_.tasks[t];
    if (task.op == no_index) {
      wait(Cause::host_func, task.start, {t, task.step});
    } else {
      add({{}, true, task.engine, task.device, waited_by_, t, no_index}, task.start);
    }
    const Binding& binding = graph_.bindings[t];
    if (binding.release == never) return no_index;
    wait(Cause::unexplained, binding.release + binding.lag, {t});
    if (binding.from == no_index) {
      wait(Cause::launch_latency, binding.release, {t, task.step});
      wait_in_call(graph_.steps[task.step].start, {t, task.step});
      return through_host(task.step, t);
    }
    if (leads_back_to(binding.from, t)) return out_of_circle();
    wait(binding.cause, binding.release, {t});
    waited_by_ = binding.cause;
    return binding.from;
  }

  // Whether going on with a task would go in a circle. Clocks agree to some us only: two tasks may
  // each seem to have waited for the other's start. Tasks of no length may, too.
  bool leads_back_to(std::uint32_t from, std::uint32_t t) {
    if (now_ != here_since_) here_.clear();
    here_since_ = now_;
    here_.insert(t);
    return here_.contains(from);
  }

  // Out of a circle, by what let one of its tasks go last.
  std::uint32_t out_of_circle() {
    std::uint32_t leaving = no_index;
    const Edge* last = nullptr;
    std::int64_t release = never;
    std::uint32_t issued = no_index;  // the task that the host issued last
    for (const std::uint32_t t : here_) {
      const Task& task = graph_.tasks[t];
      if (task.step != no_index && (issued == no_index || issued_at(graph_, graph_.tasks[issued]) <
                                                              issued_at(graph_, task))) {
        issued = t;
      }
      for (std::uint32_t e = graph_.edge_begin[t]; e < graph_.edge_begin[t + 1]; ++e) {
        const Edge& edge = graph_.edges[e];
        const std::int64_t released = released_at(graph_, edge);
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
    wait_in_call(graph_.steps[step].start, {issued, step});
    return through_host(step, issued);
  }

  // From the start of a step, which issued a task, back to a task that its thread waited for.
  std::uint32_t through_host(std::uint32_t s, std::uint32_t t) {
    while (now_ > window_.start) {
      const Step& step = graph_.steps[s];
      const bool is_first = thread_of(graph_, s).first == s;
      std::uint32_t before = is_first ? no_index : s - 1;
      if (step.after != no_index &&
          (before == no_index || graph_.steps[step.after].end > graph_.steps[before].end)) {
        before = step.after;
      }
      const std::uint32_t value = step.after_task;
      if (value != no_index && graph_.tasks[value].end < step.start) {
        wait(Cause::host_compute, graph_.tasks[value].end, {t, s});
        waited_by_ = Cause::host_sync;
        return value;
      }
      if (before == no_index) return no_index;
      wait_between({t, before}, s);
      s = before;
      const Step& call = graph_.steps[s];
      std::uint32_t awaited = no_index;
      for (std::uint32_t w = call.first_wait; w < call.first_wait + call.wait_count; ++w) {
        const std::uint32_t one = graph_.waits[w];
        if (graph_.tasks[one].end <= call.start) continue;
        if (awaited == no_index || graph_.tasks[one].end > graph_.tasks[awaited].end) awaited = one;
      }
      if (awaited != no_index) {
        wait_in_call(graph_.tasks[awaited].end, {t, s});
        waited_by_ = call.cause;
        return awaited;
      }
      wait_in_call(call.start, {t, s});
    }
    return no_index;
  }

  const Sources sources_;
  const Calls& calls_;
  const HostTimeline& host_;
  const Graph& graph_;
  const Interval window_;
  std::int64_t now_;
  Cause waited_by_ = Cause::unexplained;
  std::set<std::uint32_t> here_;  // tasks that the walk went through since then
  std::int64_t here_since_ = never;
  std::vector<PathPart> parts_;
};

}  // namespace

std::vector<PathPart> critical_path(const Sources& sources, std::uint32_t last, Interval window) {
  return Walkback(sources, window).from(last);
}

}  // namespace lapscope::analyzer
