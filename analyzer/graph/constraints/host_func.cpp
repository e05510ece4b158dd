#include <map>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// A host function runs between the tasks before and after it in its stream, and one thread of the
// driver runs all of a process.
//
//   stream 1   AAAA(ffff)BBBB..........    B waits for f, g waits for f,
//   stream 2   AAA.......(gggg)CCCC....    C waits for g
class HostFunc : public TaskConstraint {
 public:
  explicit HostFunc(const Graph& graph) : held_(graph.streams.size(), no_index) {}

  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    const Graph& graph = walk.graph();
    const Task& own = graph.tasks[task];
    if (own.kind == TaskKind::host_function) {
      std::uint32_t& last =
          last_.try_emplace(graph.streams[own.stream].pid, no_index).first->second;
      edges.add(last, task, Cause::host_func);
      last = task;
      // Nodes of a graph hold up those that say so.
      if (own.function_node == no_index) held_[own.stream] = task;
    } else if (held_[own.stream] != no_index) {
      edges.add(held_[own.stream], task, Cause::host_func);
      held_[own.stream] = no_index;
    }
  }

 private:
  std::map<std::uint32_t, std::uint32_t> last_;  // host function, by process
  std::vector<std::uint32_t> held_;  // by stream: the host function that its next task waits for
};

std::unique_ptr<TaskConstraint> tasks(const Trace&, const Graph& graph) {
  return std::make_unique<HostFunc>(graph);
}

}  // namespace

const Constraint host_func_constraint{Cause::host_func, tasks};

}  // namespace lapscope::analyzer
