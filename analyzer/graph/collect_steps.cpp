#include <algorithm>
#include <map>

#include "analyzer/graph/building.h"

namespace lapscope::analyzer {
namespace {

// Of each thread of one process the step of another one behind which it appeared: the last one that
// had ended, of a thread that makes no call until the other has made its last, if there is one.
// no_index when none had ended; of steps that ended together that of the first thread.
class Parents {
 public:
  // `threads` in Graph::threads.
  Parents(const Graph& graph, const std::vector<std::uint32_t>& threads) : graph_(graph) {
    for (const std::uint32_t t : threads) {
      const ThreadSteps& thread = graph.threads[t];
      children_.push_back({graph.steps[thread.first].start, graph.steps[thread.last - 1].end, t});
    }
    std::stable_sort(children_.begin(), children_.end(),
                     [](const Child& a, const Child& b) { return a.appears < b.appears; });
    soonest_end_.assign(children_.size() + 1, latest_time);
    for (std::size_t c = children_.size(); c-- > 0;) {
      soonest_end_[c] = std::min(soonest_end_[c + 1], children_[c].ends);
      ends_.push_back(children_[c].ends);
    }
    std::sort(ends_.begin(), ends_.end());
    last_.resize(children_.size(), no_index);
    pauses_.resize(children_.size());
    for (const std::uint32_t t : threads) add(graph.threads[t]);
  }

  // Calls take(thread, step) for each thread.
  template <class Take>
  void for_each(Take&& take) const {
    std::uint32_t last = no_index;
    // By how many of `ends_` a pause reaches beyond: the step before the pause, of those that reach
    // so far or further. A tree of the maxima, as Fenwick's.
    std::vector<std::uint32_t> before(children_.size() + 1, no_index);
    for (std::size_t c = 0; c < children_.size(); ++c) {
      last = later(last, last_[c]);
      for (const Pause& pause : pauses_[c]) {
        for (std::size_t at = pause.reaches; at > 0; at -= at & (~at + 1)) {
          before[at] = later(before[at], pause.step);
        }
      }
      std::uint32_t joining = no_index;
      const auto own = std::lower_bound(ends_.begin(), ends_.end(), children_[c].ends);
      for (auto at = static_cast<std::size_t>(own - ends_.begin()) + 1; at < before.size();
           at += at & (~at + 1)) {
        joining = later(joining, before[at]);
      }
      take(children_[c].thread, joining != no_index ? joining : last);
    }
  }

 private:
  struct Child {
    std::int64_t appears = 0;
    std::int64_t ends = 0;  // its last call
    std::uint32_t thread = 0;
  };
  // After a step, until the next one of its thread.
  struct Pause {
    std::uint32_t step = 0;
    std::size_t reaches = 0;  // so many of `ends_`, the first ones
  };

  // The one that ended last; of two that ended together that of the first thread, or of one
  // thread the second.
  std::uint32_t later(std::uint32_t a, std::uint32_t b) const {
    if (a == no_index || b == no_index) return std::min(a, b);
    const std::int64_t first = graph_.steps[a].end;
    const std::int64_t second = graph_.steps[b].end;
    if (first != second) return first > second ? a : b;
    const bool is_same = thread_of(graph_, a).first == thread_of(graph_, b).first;
    return is_same ? std::max(a, b) : std::min(a, b);
  }

  void add(const ThreadSteps& thread) {
    std::size_t child = 0;  // the first that appears when the step has ended
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      const Step& step = graph_.steps[s];
      const auto appears_later =
          std::partition_point(children_.begin() + static_cast<std::ptrdiff_t>(child),
                               children_.end(), [&step](const Child& one) {
                                 return one.appears < step.end || one.appears <= step.start;
                               });
      child = static_cast<std::size_t>(appears_later - children_.begin());
      if (child == children_.size()) return;
      last_[child] = later(last_[child], s);
      if (s + 1 == thread.last) return;
      const std::int64_t next = graph_.steps[s + 1].start;
      if (next < soonest_end_[child]) continue;
      const auto reached = std::upper_bound(ends_.begin(), ends_.end(), next);
      pauses_[child].push_back({s, static_cast<std::size_t>(reached - ends_.begin())});
    }
  }

  const Graph& graph_;
  std::vector<Child> children_;            // as they appear
  std::vector<std::int64_t> ends_;         // of all, ascending
  std::vector<std::int64_t> soonest_end_;  // of a child and those behind it
  std::vector<std::uint32_t> last_;  // of the steps that end between a child and the one ahead
  std::vector<std::vector<Pause>> pauses_;  // likewise
};

// By thread.
std::vector<std::uint32_t> parents_of(const Graph& graph) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> processes;
  for (std::uint32_t t = 0; t < graph.threads.size(); ++t) {
    processes[pid_of(graph.threads[t].global_tid)].push_back(t);
  }
  std::vector<std::uint32_t> parents(graph.threads.size(), no_index);
  for (const auto& [pid, threads] : processes) {
    Parents(graph, threads).for_each([&parents](std::uint32_t thread, std::uint32_t step) {
      parents[thread] = step;
    });
  }
  return parents;
}

// A thread that appears while the program runs was probably made by the one that was active last,
// or by one that makes no call until the new one has made its last, and so probably joins it.
//
//   parent   [call]....................[call]      the parent's second call waits for
//   child            [call]..[call]                the child's last one
void connect_threads(Graph& graph) {
  const std::vector<std::uint32_t> parents = parents_of(graph);
  for (std::uint32_t t = 0; t < graph.threads.size(); ++t) {
    const ThreadSteps& child = graph.threads[t];
    Step& first = graph.steps.edit()[child.first];
    const std::uint32_t parent = parents[t];
    if (parent == no_index) {
      first.gap = first.start - graph.begin;
      continue;
    }
    first.after = parent;
    first.after_gap = first.start - graph.steps[parent].end;
    first.gap = 0;
    const std::uint32_t next = parent + 1;
    const Step& last = graph.steps[child.last - 1];
    if (next >= thread_of(graph, parent).last || graph.steps[next].start < last.end ||
        graph.steps[next].start == last.start) {
      continue;
    }
    Step& join = graph.steps.edit()[next];
    if (join.after == no_index || graph.steps[join.after].end < last.end) {
      join.after = child.last - 1;
      join.after_gap = join.start - last.end;
    }
    // What the parent did of its own is not known: until the child's first call at least.
    join.gap = std::min(join.gap, first.after_gap);
  }
}

// Lazy loading happens inside a launch, and only an overhead record tells.
void mark_loads(const Trace& trace, Graph& graph) {
  std::vector<Step>& steps = graph.steps.edit();
  const ThreadIndex threads(graph);
  for (const Overhead& overhead : trace.overheads) {
    if (overhead.kind != OverheadKind::module_load) continue;
    const ThreadSteps* thread = threads.of(overhead.global_tid);
    if (!thread) continue;
    const auto begin = steps.begin() + thread->first;
    const auto after = std::partition_point(
        begin, steps.begin() + thread->last,
        [&](const Step& step) { return step.start <= overhead.interval.start; });
    if (after == begin) continue;
    Step& step = *std::prev(after);
    step.loads |= overhead.interval.start < step.end;
    // As it is of a call of which nothing but its length tells that it loaded.
    const bool is_all_of_it =
        overhead.interval.start == step.start && overhead.interval.end == step.end;
    if (is_all_of_it) step.cause = Cause::module_load;
  }
}

}  // namespace

void collect_steps(const Trace& trace, Interval issued, Graph& graph) {
  const Calls& calls = trace.calls;
  graph.begin = latest_time;
  for (const Calls::Thread& thread : calls.threads) {
    const auto begin = calls.start.begin() + thread.first;
    const auto end = calls.start.begin() + thread.last;
    const auto first = std::lower_bound(begin, end, issued.start);
    const auto last = std::lower_bound(first, end, issued.end);
    if (first == last) continue;
    ThreadSteps own{thread.global_tid, static_cast<std::uint32_t>(graph.steps.size()), 0};
    std::int64_t before = *first;
    for (auto at = first; at != last; ++at) {
      const auto call = static_cast<std::uint32_t>(at - calls.start.begin());
      Step step;
      step.call = call;
      step.start = calls.start[call];
      step.end = calls.end[call];
      step.gap = std::max<std::int64_t>(0, step.start - before);
      step.busy = step.end - step.start;
      step.cause = cause_of_call(calls.kind[call]);
      step.is_graph_launch = calls.kind[call] == CallKind::graph_launch;
      before = step.end;
      graph.begin = std::min(graph.begin, step.start);
      graph.steps.edit().push_back(step);
    }
    own.last = static_cast<std::uint32_t>(graph.steps.size());
    graph.threads.push_back(own);
  }
  connect_threads(graph);
  mark_loads(trace, graph);
}

}  // namespace lapscope::analyzer
