#include <algorithm>

#include "analyzer/graph/constraint.h"
#include "analyzer/graph/room.h"

namespace lapscope::analyzer {
namespace {

// A kernel starts when the multiprocessors have room for its first block.
//
//   stream 1  AAAAAAAA........    A takes all there is: B starts when it ends,
//   stream 2  ........BBBB....    and C, which is small, beside B
//   stream 3  .........CCC....
//
// How much room a kernel takes follows from its launch (SmUse), who made room from the times
// (Room).
class SmSaturated : public EngineConstraint {
 public:
  explicit SmSaturated(Graph& graph) : graph_(graph), rooms_(graph.traits.size(), Room(graph)) {}

  std::optional<Held> held(std::uint32_t t, std::int64_t release) override {
    const Task& task = graph_.tasks[t];
    const bool is_shared =
        !graph_.traits[task.device].exclusive[static_cast<std::size_t>(Engine::compute)];
    if (task.engine != Engine::compute || !is_shared) return std::nullopt;
    const std::uint32_t maker = rooms_[task.device].made_by(t, release);
    if (maker == no_index) return std::nullopt;
    return Held{maker, std::min(graph_.tasks[maker].end, task.start)};
  }

  void finish() override {
    for (Room& room : rooms_) room.finish();
  }

 private:
  Graph& graph_;
  std::vector<Room> rooms_;  // by device
};

std::unique_ptr<EngineConstraint> sm_saturated_engines(Graph& graph) {
  return std::make_unique<SmSaturated>(graph);
}

}  // namespace

const Constraint sm_saturated_constraint{Cause::sm_saturated, nullptr, sm_saturated_engines};

}  // namespace lapscope::analyzer
