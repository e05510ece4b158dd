#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/graph/constraint.h"
#include "analyzer/graph/launched_graphs.h"

namespace lapscope::analyzer {
namespace {

// Launches of one executable graph never overlap. Each launch waits for the end of the previous
// launch of the same executable graph, in any stream.
//
//   thread    gh
//   stream 1  .AAAA....    two launches of one cudaGraphExec_t:
//   stream 2  .....AAAA    the second starts when the first has ended
//
// Launches in one stream already wait for each other because of stream order.
class GraphExecReuse : public TaskConstraint {
 public:
  explicit GraphExecReuse(const ConstraintContext& context)
      : launches_(context.trace, context.program) {}

  void task(const Walk& walk, std::uint32_t t, EdgeList& edges) override {
    const Issued& program = walk.program();
    const std::uint32_t step = program.tasks[t].step;
    if (step == no_index || !program.steps[step].is_graph_launch) return;
    const std::uint32_t stream = walk.stream_of_task(t);
    if (step != step_) begin(program, step, stream);
    if (!before_.ends.empty() && before_.stream != stream && walk.is_root()) {
      for (const std::uint32_t end : before_.ends) edges.add(end, t, Cause::graph_exec_reuse);
    }
    if (latest_) add_end(walk, t, latest_->ends);
  }

 private:
  struct Launch {
    std::uint32_t stream = 0;
    std::vector<std::uint32_t> ends;  // nodes that no other node waits for
  };

  void begin(const Issued& program, std::uint32_t step, std::uint32_t stream) {
    step_ = step;
    latest_ = nullptr;
    before_ = {};
    const std::uint64_t executable = launches_.executable_of(program.steps[step]);
    if (executable == 0) return;
    const std::uint32_t pid = program.streams[stream].pid;
    latest_ = &of_executable_[{pid, executable}];
    before_ = std::exchange(*latest_, {stream, {}});
  }

  // If the graph's edges are not known, the node that ends last is taken as the end of the launch.
  static void add_end(const Walk& walk, std::uint32_t t, std::vector<std::uint32_t>& ends) {
    if (walk.knows_edges()) {
      std::erase_if(ends, [&walk](std::uint32_t node) {
        return std::binary_search(walk.needed().begin(), walk.needed().end(), node);
      });
      ends.push_back(t);
    } else if (ends.empty() || walk.times().tasks[ends.front()].end <= walk.times().tasks[t].end) {
      ends.assign(1, t);
    }
  }

  LaunchedGraphs launches_;
  std::uint32_t step_ = no_index;  // the launch whose nodes are being passed
  Launch before_;                  // the previous launch of its executable graph
  Launch* latest_ = nullptr;  // the launch of step_; null when its executable graph is not known
  std::map<std::pair<std::uint32_t, std::uint64_t>, Launch> of_executable_;  // by process
};

}  // namespace

const Constraint graph_exec_reuse_constraint{Cause::graph_exec_reuse,
                                             make<TaskConstraint, GraphExecReuse>};

}  // namespace lapscope::analyzer
