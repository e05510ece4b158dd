#include <map>
#include <set>

#include "analyzer/graph/call_waits.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// With CUDA_LAUNCH_BLOCKING, every launch of a process returns when its kernel has ended. Every
// asynchronous copy call returns when its copy has ended. Without this variable, a launch may also
// return after the end of its kernel, if the kernel is short. So the constraint applies to a
// process only if every launch of the process returned after the end of its kernel. In recordings
// without the variable, at most half of the launches did so.
//
//   thread    (launch a )(launch b )(launch c )
//   stream 1  .AAAAAAAAA.BBBBBBBBB..CCCCCCCCC..
class LaunchBlocking : public CallConstraint {
 public:
  explicit LaunchBlocking(const ConstraintContext& context) : CallConstraint(context) {
    struct Launches {
      std::uint32_t blocked = 0;
      std::uint32_t all = 0;
    };
    std::map<std::uint32_t, Launches> processes;
    for (const ThreadSteps& thread : context.program.threads) {
      Launches& launches = processes[pid_of(thread.global_tid)];
      for (std::uint32_t s = thread.first; s < thread.last; ++s) {
        if (kind_of(context, s) != CallKind::launch || context.program.steps[s].task_count == 0) {
          continue;
        }
        ++launches.all;
        if (is_back_behind_all(s)) ++launches.blocked;
      }
    }
    for (const ThreadSteps& thread : context.program.threads) {
      const Launches& launches = processes[pid_of(thread.global_tid)];
      if (launches.all >= assumed::enough_examples && launches.blocked == launches.all) {
        blocking_.insert(thread.first);
      }
    }
  }

  std::optional<std::vector<std::uint32_t>> waited_for(const Walk&, std::uint32_t step) override {
    if (!blocking_.contains(thread_of(context_.program, step).first)) return std::nullopt;
    std::vector<std::uint32_t> tasks;
    switch (kind_of(context_, step)) {
      case CallKind::copy_async:
        tasks = copies_ended(context_, step);
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
  // Compares times without assumed::clock_tolerance, because the launch of a short kernel may be
  // shorter than this tolerance.
  bool is_back_behind_all(std::uint32_t step) const {
    const Step& call = context_.program.steps[step];
    for (std::uint32_t t = call.first_task; t < call.first_task + call.task_count; ++t) {
      if (context_.times.tasks[t].end > context_.times.steps[step].end) return false;
    }
    return true;
  }

  // Returns the tasks that a call issued and that ended during the call.
  std::vector<std::uint32_t> launched(std::uint32_t step) const {
    const Step& call = context_.program.steps[step];
    std::vector<std::uint32_t> tasks;
    for (std::uint32_t t = call.first_task; t < call.first_task + call.task_count; ++t) {
      if (ended_within(context_.times, step, t)) tasks.push_back(t);
    }
    return tasks;
  }

  std::set<std::uint32_t> blocking_;  // threads of processes whose launches block, by first step
};

}  // namespace

const Constraint launch_blocking_constraint{Cause::launch_blocking, nullptr,
                                            make<CallConstraint, LaunchBlocking>};

}  // namespace lapscope::analyzer
