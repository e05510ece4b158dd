#include <array>
#include <map>

#include "analyzer/graph/call_waits.h"
#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// With lazy loading, the first launch of a kernel copies its code to the device. Work that was
// issued before the launch, in any stream of the context, runs before this copy. Later work runs
// after it. No record shows the copy. An overhead record shows that the launch loaded code.
//
//   stream 1   AAAA.........    The launch of B loads code. B waits for A, and C waits for B,
//   stream 2   ....(load)BBB    though all three are in different streams.
//   stream 3   .............CC
class LazyLoad : public TaskConstraint {
 public:
  explicit LazyLoad(const ConstraintContext& context)
      : barrier_seen_(context.program.streams.size()) {}

  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    const Issued& program = walk.program();
    const Task& own = program.tasks[task];
    const GraphStream& stream = program.streams[own.stream];
    std::uint32_t& barrier =
        barrier_.try_emplace({stream.pid, stream.context}, no_index).first->second;
    if (own.step != no_index && program.steps[own.step].loads) {
      for (const std::uint32_t other : walk.streams_of(stream.pid, stream.context)) {
        if (other == walk.stream_of_task(task)) continue;
        for (const std::uint32_t last : walk.last_of(other)) {
          edges.add(last, task, Cause::module_load);
        }
      }
      barrier = task;
    } else if (barrier != no_index && barrier_seen_[own.stream] != barrier + 1) {
      if (program.tasks[barrier].stream != own.stream) {
        edges.add(barrier, task, Cause::module_load, true);
      }
      barrier_seen_[own.stream] = barrier + 1;
    }
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> barrier_;
  std::vector<std::uint32_t> barrier_seen_;  // by stream: 1 + the last barrier that it waits for
};

// A call that loads code does not always wait for the device.
std::unique_ptr<CallConstraint> module_load_calls(const ConstraintContext& context) {
  return hidden_wait(context, CallKind::load, ContextWaits::Evidence::something_ended);
}

constexpr std::array module_load_kinds = {CallKind::load};

}  // namespace

const Constraint module_load_constraint{Cause::module_load, make<TaskConstraint, LazyLoad>,
                                        module_load_calls, module_load_kinds};

}  // namespace lapscope::analyzer
