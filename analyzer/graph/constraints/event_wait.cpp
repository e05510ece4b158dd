#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// A cudaEventRecord covers all earlier work in its stream. A cudaStreamWaitEvent makes a stream
// wait for the work that the event's latest cudaEventRecord covers. If the event had no
// cudaEventRecord before the cudaStreamWaitEvent, the stream waits for nothing.
//
//   stream 1  AAAA(record)BBB
//   stream 2  (wait).CCC          C waits for A, not for B
class EventWait : public TaskConstraint {
 public:
  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    if (!walk.is_root()) return;
    const std::uint32_t stream = walk.stream_of_task(task);
    for (const std::uint32_t awaited : walk.front().awaited) {
      if (walk.stream_of_task(awaited) == stream) continue;  // covered by stream order
      edges.add(awaited, task, Cause::event_wait);
    }
  }
};

}  // namespace

const Constraint event_wait_constraint{Cause::event_wait, make<TaskConstraint, EventWait>};

}  // namespace lapscope::analyzer
