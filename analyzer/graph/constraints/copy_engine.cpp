#include <algorithm>

#include "analyzer/graph/constraint.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// A GPU with one copy engine has one queue for copies of both directions. The queue runs the copies
// in the order of issue. So a copy that waits for a kernel delays the copies behind it.
//
//   stream 1  HHHKKDD......    Stream 1 was issued first. H of stream 2 could run beside K,
//   stream 2  .......HHHKKDD   but is behind D of stream 1 in the queue.
//
// If a recorded copy started before a copy that was issued earlier had ended, the GPU has several
// queues. The constraint adds no edges for such a GPU.
class OneCopyQueue : public TaskConstraint {
 public:
  explicit OneCopyQueue(const ConstraintContext& context)
      : last_(context.trace.devices.size(), no_index) {
    for (const Device& device : context.trace.devices)
      has_one_.push_back(device.limits.copy_engines == 1);
    std::vector<Ns> until(last_.size());
    for (std::uint32_t t = 0; t < context.program.tasks.size(); ++t) {
      const Task& task = context.program.tasks[t];
      const Interval& time = context.times.tasks[t];
      if (!copies(task)) continue;
      if (time.start < until[task.device] - assumed::clock_tolerance) has_one_[task.device] = false;
      until[task.device] = std::max(until[task.device], time.end);
    }
  }

  void task(const Walk& walk, std::uint32_t t, EdgeList& edges) override {
    const Task& task = walk.program().tasks[t];
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
  std::vector<std::uint32_t> last_;  // the last copy, by device
};

}  // namespace

// A copy also waits while other copies occupy its engine. Such a wait is not an edge:
// EngineObserver finds the op that occupied the engine. EngineTraits::exclusive lists the engines
// that run one op at a time. DeviceLimits::copy_engines is 1 if one engine copies in both
// directions.
const Constraint copy_engine_constraint{.cause = Cause::copy_engine,
                                        .tasks = make<TaskConstraint, OneCopyQueue>};

}  // namespace lapscope::analyzer
