#include <algorithm>

#include "analyzer/graph/constraint.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// A GPU with one copy engine has one queue for it, which takes copies of both directions in the
// order of their issue: one that waits for a kernel holds up those behind it.
//
//   stream 1  HHHKKDD......    H, K, D of stream 1 were issued before those of stream 2, whose H
//   stream 2  .......HHHKKDD   could have been copied while K ran
//
// Only where all copies of the trace came so: a GPU that lets them overtake each other has more
// queues.
class OneCopyQueue : public TaskConstraint {
 public:
  OneCopyQueue(const Trace& trace, const Graph& graph) : last_(trace.devices.size(), no_index) {
    for (const Device& device : trace.devices) has_one_.push_back(device.limits.copy_engines == 1);
    std::vector<std::int64_t> until(trace.devices.size());
    for (const Task& task : graph.tasks) {
      if (!copies(task)) continue;
      if (task.start < until[task.device] - assumed::clock_tolerance) has_one_[task.device] = false;
      until[task.device] = std::max(until[task.device], task.end);
    }
  }

  void task(const Walk& walk, std::uint32_t t, EdgeList& edges) override {
    const Task& task = walk.graph().tasks[t];
    if (!copies(task) || !has_one_[task.device]) return;
    std::uint32_t& before = last_[task.device];
    if (before != no_index) edges.add(before, t, Cause::copy_engine);
    before = t;
  }

 private:
  static bool copies(const Task& task) {
    return task.op != no_index && (task.engine == Engine::h2d || task.engine == Engine::d2h);
  }

  std::vector<bool> has_one_;        // by device
  std::vector<std::uint32_t> last_;  // copy, by device
};

std::unique_ptr<TaskConstraint> copy_engine_tasks(const Trace& trace, const Graph& graph) {
  return std::make_unique<OneCopyQueue>(trace, graph);
}

}  // namespace

// Which engines run one op at a time is told by the trace (EngineTraits::exclusive), and where
// there is one for both directions by what it says of the GPU. Who had an engine: EngineObserver.
const Constraint copy_engine_constraint{
    .cause = Cause::copy_engine, .tasks = copy_engine_tasks, .is_of_machine = true};

}  // namespace lapscope::analyzer
