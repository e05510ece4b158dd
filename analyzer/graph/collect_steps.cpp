#include <algorithm>

#include "analyzer/graph/building.h"

namespace lapscope::analyzer {
namespace {

// The step of another thread of the process behind which a thread appeared: the last one that had
// ended, of a thread that makes no call until the other has made its last, if there is one.
// no_index when none had ended.
std::uint32_t parent_of(const Graph& graph, const ThreadSteps& child) {
  const std::int64_t appears = graph.steps[child.first].start;
  const std::int64_t ends = graph.steps[child.last - 1].end;
  std::uint32_t parent = no_index;
  bool joins = false;
  for (const ThreadSteps& other : graph.threads) {
    if (other.first == child.first || pid_of(other.global_tid) != pid_of(child.global_tid)) {
      continue;
    }
    const auto begin = graph.steps.begin() + other.first;
    const auto end = graph.steps.begin() + other.last;
    const auto after = std::partition_point(begin, end, [appears](const Step& step) {
      return step.end <= appears && step.start < appears;
    });
    if (after == begin) continue;
    const auto step = static_cast<std::uint32_t>(after - graph.steps.begin()) - 1;
    const bool may_join = after != end && after->start >= ends;
    if (parent == no_index || std::make_pair(joins, graph.steps[parent].end) <
                                  std::make_pair(may_join, graph.steps[step].end)) {
      parent = step;
      joins = may_join;
    }
  }
  return parent;
}

// A thread that appears while the program runs was probably made by the one that was active last,
// or by one that makes no call until the new one has made its last, and so probably joins it.
//
//   parent   [call]....................[call]      the parent's second call waits for
//   child            [call]..[call]                the child's last one
void connect_threads(Graph& graph) {
  for (const ThreadSteps& child : graph.threads) {
    Step& first = graph.steps.edit()[child.first];
    const std::uint32_t parent = parent_of(graph, child);
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
  for (const Overhead& overhead : trace.overheads) {
    if (overhead.kind != OverheadKind::module_load) continue;
    for (const ThreadSteps& thread : graph.threads) {
      if (thread.global_tid != overhead.global_tid) continue;
      std::vector<Step>& steps = graph.steps.edit();
      const auto begin = steps.begin() + thread.first;
      const auto after = std::partition_point(
          begin, steps.begin() + thread.last,
          [&](const Step& step) { return step.start <= overhead.interval.start; });
      if (after == begin) continue;
      Step& step = *std::prev(after);
      step.loads |= overhead.interval.start < step.end;
    }
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
