#include "analyzer/graph/constraint.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Whether a graph launch issued the task.
bool is_of_graph(const Issued& program, std::uint32_t task) {
  const std::uint32_t step = program.tasks[task].step;
  return step != no_index && program.steps[step].is_graph_launch;
}

// The task waits for what is before it in its stream.
void add_stream_order(const Walk& walk, std::uint32_t task, EdgeList& edges) {
  const Column<Task>& tasks = walk.program().tasks;
  const Column<Interval>& times = walk.times().tasks;
  for (const std::uint32_t before : walk.front().last) {
    // An op that waits for a host function does so for its sake.
    const auto is_function = [&](std::uint32_t t) {
      return tasks[t].kind == TaskKind::host_function;
    };
    if (is_function(before) && !is_function(task)) continue;
    // What overlaps after begin_behind(), as a kernel that ended first, did not wait for that end.
    const bool overlaps = times[before].end > times[task].start + assumed::clock_tolerance;
    edges.add(before, task, Cause::stream_order, overlaps);
  }
}

// A stream runs its tasks one after the other.
//
//   stream 1  AAAA.BBB     B waits for the end of A
//
// What a CUDA graph launched has the graph's order instead: see GraphEdge.
class StreamOrder : public TaskConstraint {
 public:
  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    if (!is_of_graph(walk.program(), task)) add_stream_order(walk, task, edges);
  }
};

}  // namespace

const Constraint stream_order_constraint{Cause::stream_order, make<TaskConstraint, StreamOrder>};

namespace {

// Tasks that were launched from a CUDA graph have the graph's order, and the launch as a whole has
// the stream's.
//
//   stream 1  AAAA.bbb..CC     b and c are of one graph launch: both wait for A,
//   internal       cccc        and C waits for the later of them
class GraphEdge : public TaskConstraint {
 public:
  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    if (!is_of_graph(walk.program(), task)) return;
    if (walk.knows_edges()) {
      const auto is_function = [&](std::uint32_t t) {
        return walk.program().tasks[t].kind == TaskKind::host_function;
      };
      for (const std::uint32_t other : walk.needed()) {
        const bool holds_up = is_function(other) && !is_function(task);
        edges.add(other, task, holds_up ? Cause::host_func : Cause::graph_edge);
      }
      if (walk.is_root()) add_stream_order(walk, task, edges);
    } else {
      follow_last(walk, task, edges);
    }
  }

 private:
  // The trace does not tell the graph's edges. What had ended before a task started may have been
  // one of its dependences; the last of those is taken.
  void follow_last(const Walk& walk, std::uint32_t task, EdgeList& edges) {
    const Column<Interval>& times = walk.times().tasks;
    const Ns start = times[task].start;
    const std::uint32_t step = walk.program().tasks[task].step;
    if (step != launch_) {
      launch_ = step;
      members_.clear();
    }
    const std::uint32_t last = last_ended(times, start);
    if (last == no_index) {
      add_stream_order(walk, task, edges);
    } else {
      edges.add(last, task, Cause::graph_edge);
    }
    // Only the last that ended, and those still running after it, can be the last before a later
    // task. Tasks of a launch come by start.
    std::erase_if(members_, [&](std::uint32_t member) {
      return member != last && has_ended(times[member], start);
    });
    members_.push_back(task);
  }

  static bool has_ended(const Interval& task, Ns now) {
    return task.end <= now + assumed::clock_tolerance;
  }

  std::uint32_t last_ended(const Column<Interval>& times, Ns now) const {
    std::uint32_t last = no_index;
    for (const std::uint32_t member : members_) {
      if (!has_ended(times[member], now)) continue;
      if (last == no_index || times[member].end > times[last].end) last = member;
    }
    return last;
  }

  std::uint32_t launch_ = no_index;
  std::vector<std::uint32_t> members_;
};

}  // namespace

const Constraint graph_edge_constraint{Cause::graph_edge, make<TaskConstraint, GraphEdge>};

}  // namespace lapscope::analyzer
