#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// Work in the legacy default stream of a context waits for all earlier work in the context's
// blocking streams. Later work in the blocking streams waits for the work in the legacy stream.
// Per-thread default streams are blocking streams. Non-blocking streams take no part.
//
//   blocking 1      AAAA.....CC     C waits for B
//   legacy          ....BBBB...     B waits for A
//   blocking 2      ........DDD     D waits for B
//   non-blocking    ..EEEEE....     E waits for nothing
//
// A task gets edges only from the latest work of each stream. Stream order already makes the latest
// work wait for earlier work.
class DefaultStreamBarrier : public TaskConstraint {
 public:
  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    if (!walk.is_root()) return;
    for (const std::uint32_t before : walk.front().barrier) {
      edges.add(before, task, Cause::default_stream_barrier);
    }
  }
};

}  // namespace

const Constraint default_stream_constraint{Cause::default_stream_barrier,
                                           make<TaskConstraint, DefaultStreamBarrier>};

}  // namespace lapscope::analyzer
