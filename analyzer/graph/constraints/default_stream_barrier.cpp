#include <map>

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
class DefaultStreamBarrier : public Constraint {
 public:
  explicit DefaultStreamBarrier(const Graph& graph) : seen_(graph.streams.size(), no_index) {}

  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) override {
    const Graph& graph = walk.graph();
    const std::uint32_t stream = graph.tasks[task].stream;
    const GraphStream& own = graph.streams[stream];
    if (own.kind == StreamKind::legacy_default) {
      for (const std::uint32_t other : walk.streams_of(own.pid, own.context)) {
        if (graph.streams[other].kind != StreamKind::blocking) continue;
        const std::uint32_t last = walk.last_of(other);
        if (last == no_index || last == seen_[other]) continue;
        edges.add(last, task, Cause::default_stream_barrier);
        seen_[other] = last;
      }
      last_[{own.pid, own.context}] = task;
    } else if (own.kind == StreamKind::blocking) {
      const auto legacy = last_.find({own.pid, own.context});
      if (legacy == last_.end()) return;
      const std::uint32_t before = walk.last_of(stream);
      if (before != no_index && before > legacy->second) return;
      edges.add(legacy->second, task, Cause::default_stream_barrier);
    }
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last_;  // by process, context
  std::vector<std::uint32_t> seen_;  // by stream: its last task that the legacy stream waits for
};

}  // namespace

std::unique_ptr<Constraint> default_stream_constraint(const Trace&, const Graph& graph) {
  return std::make_unique<DefaultStreamBarrier>(graph);
}

}  // namespace lapscope::analyzer
