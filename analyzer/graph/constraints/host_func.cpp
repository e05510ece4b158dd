#include <map>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// A host function runs between the tasks before and after it in its stream or CUDA graph. One
// thread of the driver runs all host functions of a process.
//
//   stream 1   AAAA(ffff)BBBB..........    B waits for f, g waits for f,
//   stream 2   AAA.......(gggg)CCCC....    C waits for g
//
// GraphEdge in stream_order.cpp adds the edges between nodes of a CUDA graph.
class HostFunc : public TaskConstraint {
 public:
  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    const Issued& program = walk.program();
    const Task& own = program.tasks[task];
    if (own.is_host_function()) {
      std::uint32_t& last =
          last_.try_emplace(program.streams[own.stream].pid, no_index).first->second;
      edges.add(last, task, Cause::host_func);
      last = task;
    } else if (walk.is_root()) {
      for (const std::uint32_t before : walk.front().last) {
        if (program.tasks[before].is_host_function()) edges.add(before, task, Cause::host_func);
      }
    }
  }

 private:
  std::map<std::uint32_t, std::uint32_t> last_;  // the last host function, by process
};

}  // namespace

const Constraint host_func_constraint{Cause::host_func, make<TaskConstraint, HostFunc>};

}  // namespace lapscope::analyzer
