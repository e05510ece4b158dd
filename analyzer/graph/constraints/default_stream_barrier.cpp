#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// The legacy default stream of a context waits for all work that was issued to the context's
// blocking streams before, and what is issued to them afterwards waits for it. Per-thread default
// streams are blocking streams. Non-blocking streams take no part.
//
//   blocking 1      AAAA.....CC     B waits for A, C and D wait for B;
//   legacy          ....BBBB...     E waits for nobody
//   blocking 2      ........DDD
//   non-blocking    ..EEEEE....
//
// Between two tasks of the legacy stream each blocking stream has at most one edge in each
// direction: the rest follows from the order of the streams.
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
