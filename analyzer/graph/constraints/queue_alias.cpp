#include <map>
#include <tuple>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// If there are more streams than hardware channels (CUDA_DEVICE_MAX_CONNECTIONS), streams share a
// channel. A channel starts its work in the order of issue, even if the work is of different
// streams. So a task cannot start before the task ahead of it in the channel has started.
//
//   stream 1, channel 1   AAAABBBB....
//   stream 2, channel 1   ....CCCC....    C could have run beside A, but C is behind B,
//   stream 3, channel 2   DDDD........    and B waits for A
class QueueAlias : public TaskConstraint {
 public:
  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    const Issued& program = walk.program();
    const Task& own = program.tasks[task];
    if (own.channel == no_channel) return;
    const auto [last, is_first] = last_.try_emplace(
        {program.streams[own.stream].pid, own.device, own.engine == Engine::compute, own.channel},
        no_index);
    if (!is_first && program.tasks[last->second].stream != own.stream) {
      edges.add(last->second, task, Cause::queue_alias, true);
    }
    last->second = task;
  }

 private:
  // The last task so far, by process, device, kind of work (compute or copy) and channel. Copies
  // and kernels have separate channels.
  std::map<std::tuple<std::uint32_t, std::uint16_t, bool, std::uint16_t>, std::uint32_t> last_;
};

}  // namespace

const Constraint queue_alias_constraint{Cause::queue_alias, make<TaskConstraint, QueueAlias>};

}  // namespace lapscope::analyzer
