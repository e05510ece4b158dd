#include "analyzer/findings/blame.h"

#include <algorithm>
#include <map>

namespace lapscope::analyzer {

std::string_view name_of(BlameKind kind) { return kind == BlameKind::work ? "work" : "wait"; }

namespace {

// Walks back in time. Whatever the graph says, time only ever goes down, and stops at the window's
// start: that is why the parts fill the window.
class Walkback {
 public:
  Walkback(const Graph& graph, Interval window)
      : graph_(graph), window_(window), now_(window.end) {}

  std::vector<PathPart> from(std::uint32_t task) {
    if (graph_.tasks[task].end < now_) wait(Cause::unexplained, graph_.tasks[task].end, {});
    // Tasks of no length could lead in a circle; no way is longer than all there is.
    std::size_t most = graph_.tasks.size() + graph_.steps.size();
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

  // The task that the walk goes on with; no_index when there is none.
  std::uint32_t through_task(std::uint32_t t) {
    const Task& task = graph_.tasks[t];
    if (task.op == no_index) {
      wait(Cause::host_func, task.start, {t, task.step});
    } else {
      PathPart work;
      work.is_work = true;
      work.engine = task.engine;
      work.device = task.device;
      work.task = t;
      add(work, task.start);
    }
    const Binding& binding = graph_.bindings[t];
    if (binding.release == never) return no_index;
    wait(Cause::unexplained, binding.release + binding.lag, {t});
    if (binding.from == no_index) {
      wait(Cause::launch_overhead, binding.release, {t, task.step});
      wait(graph_.steps[task.step].cause, graph_.steps[task.step].start, {t, task.step});
      return through_host(task.step, t);
    }
    wait(binding.cause, binding.release, {t});
    return binding.from;
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
      if (before == no_index) return no_index;
      s = before;
      const Step& call = graph_.steps[s];
      wait(Cause::host_compute, call.end, {t, s});
      std::uint32_t awaited = no_index;
      for (std::uint32_t w = call.first_wait; w < call.first_wait + call.wait_count; ++w) {
        const std::uint32_t one = graph_.waits[w];
        if (graph_.tasks[one].end <= call.start) continue;
        if (awaited == no_index || graph_.tasks[one].end > graph_.tasks[awaited].end) awaited = one;
      }
      if (awaited != no_index) {
        wait(call.cause, graph_.tasks[awaited].end, {t, s});
        return awaited;
      }
      wait(call.cause, call.start, {t, s});
    }
    return no_index;
  }

  const Graph& graph_;
  Interval window_;
  std::int64_t now_;
  std::vector<PathPart> parts_;
};

}  // namespace

std::vector<PathPart> critical_path(const Graph& graph, const Scoped& scope) {
  if (scope.tasks.empty()) return {};
  const std::uint32_t last = *std::max_element(
      scope.tasks.begin(), scope.tasks.end(), [&graph](std::uint32_t a, std::uint32_t b) {
        return std::make_pair(graph.tasks[a].end, a) < std::make_pair(graph.tasks[b].end, b);
      });
  return Walkback(graph, scope.window).from(last);
}

std::vector<BlameRow> blame_of(std::span<const PathPart> path, std::uint16_t device) {
  std::map<std::pair<BlameKind, std::string_view>, std::int64_t> time;
  for (const PathPart& part : path) {
    const std::string_view code = !part.is_work           ? code_of(part.cause)
                                  : part.device != device ? "other-device"
                                                          : name_of(part.engine);
    time[{part.is_work ? BlameKind::work : BlameKind::wait, code}] += part.interval.length();
  }
  std::vector<BlameRow> rows;
  for (const auto& [key, ns] : time) rows.push_back({key.second, key.first, ns});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const BlameRow& a, const BlameRow& b) { return a.ns > b.ns; });
  return rows;
}

double unexplained_share(std::span<const BlameRow> blame, std::int64_t wall_ns) {
  if (wall_ns <= 0) return 0;
  for (const BlameRow& row : blame) {
    if (row.code != code_of(Cause::unexplained)) continue;
    return static_cast<double>(row.ns) / static_cast<double>(wall_ns);
  }
  return 0;
}

}  // namespace lapscope::analyzer
