#include <compare>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "analyzer/graph/constraint.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Adds the edges by which a task waits for the tasks directly before it in its stream.
void add_stream_order(const Walk& walk, std::uint32_t task, EdgeList& edges) {
  const Column<Task>& tasks = walk.program().tasks;
  const Column<Interval>& times = walk.times().tasks;
  for (const std::uint32_t before : walk.front().last) {
    // host_func_constraint adds the edge from a host function to the op behind it.
    if (tasks[before].is_host_function() && !tasks[task].is_host_function()) continue;
    // begin_behind() has removed most overlaps of consecutive tasks in a stream. If two tasks still
    // overlap, the second task waited only for the start of the first.
    const bool overlaps = times[before].end > times[task].start + assumed::clock_tolerance;
    edges.add(before, task, Cause::stream_order, overlaps);
  }
}

// A stream runs its tasks one after the other.
//
//   stream 1  AAAA.BBB     B waits for the end of A
//
// Tasks of a CUDA graph launch follow the order of the graph instead: see GraphEdge.
class StreamOrder : public TaskConstraint {
 public:
  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    const Issued& program = walk.program();
    if (!is_graph_node(program, program.tasks[task])) add_stream_order(walk, task, edges);
  }
};

}  // namespace

const Constraint stream_order_constraint{Cause::stream_order, make<TaskConstraint, StreamOrder>};

namespace {

// The tasks of a CUDA graph launch follow the order of the graph. The launch as a whole follows the
// order of its stream.
//
//   stream 1  AAAA.bbb..CC     b and c belong to one graph launch: both wait for A,
//   internal       cccc        and C waits for the later of them
class GraphEdge : public TaskConstraint {
 public:
  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    const Column<Task>& tasks = walk.program().tasks;
    if (!is_graph_node(walk.program(), tasks[task])) return;
    if (walk.knows_edges()) {
      for (const std::uint32_t other : walk.needed()) {
        const bool holds_up = tasks[other].is_host_function() && !tasks[task].is_host_function();
        edges.add(other, task, holds_up ? Cause::host_func : Cause::graph_edge);
      }
      if (walk.is_root()) add_stream_order(walk, task, edges);
    } else {
      follow_last(walk, task, edges);
    }
  }

 private:
  // If the edges of the graph are not known, a task is assumed to wait for the last node that ended
  // before the task started.
  void follow_last(const Walk& walk, std::uint32_t task, EdgeList& edges) {
    const Column<Interval>& times = walk.times().tasks;
    const std::uint32_t step = walk.program().tasks[task].step;
    if (step != launch_) {
      launch_ = step;
      running_ = {};
      last_.reset();
    }
    // The tasks of a launch are sorted by start. So a node that ended before one task also ended
    // before all later tasks.
    const Ns now = times[task].start + assumed::clock_tolerance;
    for (; !running_.empty() && running_.top().end <= now; running_.pop()) {
      if (!last_ || last_->end < running_.top().end) last_ = running_.top();
    }
    if (!last_) {
      add_stream_order(walk, task, edges);
    } else {
      edges.add(last_->task, task, Cause::graph_edge);
    }
    running_.push({times[task].end, task});
  }

  struct Member {
    Ns end = 0;
    std::uint32_t task = 0;
    // Of nodes that ended together, the node that was issued first comes first.
    friend auto operator<=>(const Member&, const Member&) = default;
  };

  std::uint32_t launch_ = no_index;
  // Nodes of the launch. The node that ends first is on top.
  std::priority_queue<Member, std::vector<Member>, std::greater<>> running_;
  std::optional<Member> last_;  // the node that ended last
};

}  // namespace

const Constraint graph_edge_constraint{Cause::graph_edge, make<TaskConstraint, GraphEdge>};

}  // namespace lapscope::analyzer
