#include <algorithm>
#include <array>

#include "analyzer/graph/constraint.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// An engine that runs one op at a time, as those that copy do, begins the next when it has ended
// the one before.
//
//   stream 1, to the device  AAAA....
//   stream 2, to the device  ....BBBB    B waits for A, C for neither
//   stream 3, to the host    ..CCCC..
//
// Which engines do is told by the trace (EngineTraits::exclusive), and where there is one for both
// directions, so that C waits as well, by what it says of the GPU.
class CopyEngine : public EngineConstraint {
 public:
  explicit CopyEngine(const Graph& graph) : graph_(graph), last_(graph.traits.size()) {
    for (auto& of_device : last_) of_device.fill(no_index);
  }

  std::optional<Held> held(std::uint32_t t, std::int64_t) override {
    const Task& task = graph_.tasks[t];
    const EngineTraits& traits = graph_.traits[task.device];
    const auto engine = static_cast<std::size_t>(traits.occupied_by(task.engine));
    if (!traits.exclusive[engine]) return std::nullopt;
    std::uint32_t& last = last_[task.device][engine];
    const std::uint32_t before = last;
    if (before == no_index || graph_.tasks[before].end < task.end) last = t;
    if (before == no_index || graph_.tasks[before].end > task.start + assumed::clock_tolerance) {
      return std::nullopt;
    }
    return Held{before, graph_.tasks[before].end};
  }

 private:
  const Graph& graph_;
  std::vector<std::array<std::uint32_t, all_engines.size()>> last_;  // to end, by device
};

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

std::unique_ptr<EngineConstraint> copy_engine_engines(Graph& graph) {
  return std::make_unique<CopyEngine>(graph);
}

}  // namespace

const Constraint copy_engine_constraint{Cause::copy_engine, copy_engine_tasks, copy_engine_engines};

}  // namespace lapscope::analyzer
