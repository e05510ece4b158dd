#include "analyzer/graph/call_waits.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// A task that ends while its own launch call still runs was waited for, unless it is so short that
// it may have ended by chance: tracing keeps the call for a few us after the launch itself.
bool is_long(const Task& task) { return task.end - task.start >= assumed::end_by_chance; }

// With CUDA_LAUNCH_BLOCKING a launch returns when its kernel has ended, and an asynchronous copy
// when it has.
//
//   thread    (launch a )(launch b )
//   stream 1  .AAAAAAAAA.BBBBBBBBB..    of each launch, not of one now and then
class LaunchBlocking : public CallConstraint {
 public:
  explicit LaunchBlocking(const CallContext& context) : context_(context) {
    const Graph& graph = context.graph;
    std::int64_t blocked = 0;
    std::int64_t free = 0;
    for (const Task& task : graph.tasks) {
      const bool is_kernel = task.op != no_index && task.engine == Engine::compute;
      if (task.step == no_index || !is_kernel || !is_long(task)) continue;
      (task.end <= graph.steps[task.step].end ? blocked : free) += 1;
    }
    all_block_ = blocked > assumed::blocking_launches * free;
  }

  std::optional<std::vector<std::uint32_t>> waited_for(const Walk&, std::uint32_t step) override {
    std::vector<std::uint32_t> tasks;
    switch (kind_of(context_, step)) {
      case CallKind::copy_async:
        if (all_block_) tasks = copies_ended(context_, step);
        break;
      case CallKind::launch:
      case CallKind::graph_launch:
      case CallKind::memset:
        tasks = launched(step);
        break;
      default:
        break;
    }
    if (tasks.empty()) return std::nullopt;
    return tasks;
  }

 private:
  std::vector<std::uint32_t> launched(std::uint32_t step) const {
    const Step& call = context_.graph.steps[step];
    std::vector<std::uint32_t> tasks;
    for (std::uint32_t t = call.first_task; t < call.first_task + call.task_count; ++t) {
      if (!ended_within(context_.graph, step, t)) continue;
      if (all_block_ || is_long(context_.graph.tasks[t])) tasks.push_back(t);
    }
    return tasks;
  }

  CallContext context_;
  bool all_block_ = false;
};

std::unique_ptr<CallConstraint> launch_blocking_calls(const CallContext& context) {
  return std::make_unique<LaunchBlocking>(context);
}

}  // namespace

const Constraint launch_blocking_constraint{Cause::launch_blocking, nullptr, launch_blocking_calls};

}  // namespace lapscope::analyzer
