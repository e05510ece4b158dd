#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// A stream runs its tasks one after the other.
//
//   stream 1  AAAA.BBB     B waits for the end of A
//
// Launched from a CUDA graph they have the graph's order instead, and the launch as a whole has the
// stream's:
//
//   stream 1  AAAA.bbb..CC     b and c are of one graph launch: both wait for A,
//   internal       cccc        and C waits for the later of them
class StreamOrder : public Constraint {
 public:
  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    const Graph& graph = walk.graph();
    const Task& own = graph.tasks[task];
    const std::vector<std::uint32_t>& before = walk.front().last;
    if (own.step != no_index && graph.steps[own.step].is_graph_launch) {
      if (walk.knows_edges()) {
        node_task(walk, task, edges);
      } else {
        graph_task(graph, before, task, edges);
      }
      return;
    }
    for (const std::uint32_t last : before) {
      // What waits for a host function does so for its sake.
      const bool is_function = graph.tasks[last].kind == TaskKind::host_function;
      if (!is_function) add(graph, last, task, edges);
    }
  }

 private:
  // With programmatic dependent launch a kernel may start before the one ahead of it has ended.
  static void add(const Graph& graph, std::uint32_t before, std::uint32_t task, EdgeList& edges) {
    const bool overlaps = graph.tasks[before].end > graph.tasks[task].start + clock_tolerance;
    edges.add(before, task, Cause::stream_order, overlaps);
  }

  // A task of a graph whose edges the trace tells.
  static void node_task(const Walk& walk, std::uint32_t task, EdgeList& edges) {
    for (const std::uint32_t other : walk.needed()) edges.add(other, task, Cause::graph_edge);
    if (!walk.is_root()) return;
    for (const std::uint32_t before : walk.front().last) add(walk.graph(), before, task, edges);
  }

  void graph_task(const Graph& graph, const std::vector<std::uint32_t>& before, std::uint32_t task,
                  EdgeList& edges) {
    const Task& own = graph.tasks[task];
    if (own.step != launch_) {
      launch_ = own.step;
      members_.clear();
    }
    // The trace does not tell the graph's edges. What had ended before a task started may have been
    // one of its dependences; the last of those is taken.
    std::uint32_t last = no_index;
    for (const std::uint32_t member : members_) {
      if (graph.tasks[member].end > own.start + clock_tolerance) continue;
      if (last == no_index || graph.tasks[member].end > graph.tasks[last].end) last = member;
    }
    if (last == no_index) {
      for (const std::uint32_t one : before) add(graph, one, task, edges);
    } else {
      edges.add(last, task, Cause::graph_edge);
    }
    remember(graph, task);
  }

  // Only the last that ended, and those still running after it, can be the last before a later
  // task. Tasks of a launch come by start.
  void remember(const Graph& graph, std::uint32_t task) {
    const std::int64_t now = graph.tasks[task].start;
    std::uint32_t last = no_index;
    for (const std::uint32_t member : members_) {
      if (graph.tasks[member].end > now + clock_tolerance) continue;
      if (last == no_index || graph.tasks[member].end > graph.tasks[last].end) last = member;
    }
    std::erase_if(members_, [&](std::uint32_t member) {
      return member != last && graph.tasks[member].end <= now + clock_tolerance;
    });
    members_.push_back(task);
  }

  std::uint32_t launch_ = no_index;
  std::vector<std::uint32_t> members_;
};

}  // namespace

std::unique_ptr<Constraint> stream_order_constraint(const Trace&, const Graph&) {
  return std::make_unique<StreamOrder>();
}

}  // namespace lapscope::analyzer
