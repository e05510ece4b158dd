#include "analyzer/graph/constraints/stream_order.h"

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

void add_stream_order(const Walk& walk, std::uint32_t task, EdgeList& edges) {
  const Graph& graph = walk.graph();
  for (const std::uint32_t before : walk.front().last) {
    // An op that waits for a host function does so for its sake.
    const auto is_function = [&](std::uint32_t t) {
      return graph.tasks[t].kind == TaskKind::host_function;
    };
    if (is_function(before) && !is_function(task)) continue;
    // With programmatic dependent launch a kernel may start before the one ahead of it has ended.
    const bool overlaps =
        graph.tasks[before].end > graph.tasks[task].start + assumed::clock_tolerance;
    edges.add(before, task, Cause::stream_order, overlaps);
  }
}

namespace {

// A stream runs its tasks one after the other.
//
//   stream 1  AAAA.BBB     B waits for the end of A
//
// What a CUDA graph launched has the graph's order instead: see graph_edge.cpp.
class StreamOrder : public TaskConstraint {
 public:
  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    if (!is_of_graph(walk.graph(), task)) add_stream_order(walk, task, edges);
  }
};

std::unique_ptr<TaskConstraint> stream_order_tasks(const Trace&, const Graph&) {
  return std::make_unique<StreamOrder>();
}

}  // namespace

const Constraint stream_order_constraint{Cause::stream_order, stream_order_tasks};

}  // namespace lapscope::analyzer
