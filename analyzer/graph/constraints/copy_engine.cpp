#include <array>

#include "analyzer/graph/constraint.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// An engine that runs one op at a time, as those that copy do, begins the next when it has ended
// the one before.
//
//   stream 1, to the device  AAAA....
//   stream 2, to the device  ....BBBB    B waits for A, C for neither
//   stream 3, to the host    ..CCCC..
//
// Which engines do is told by the trace: EngineTraits::exclusive.
class CopyEngine : public EngineConstraint {
 public:
  explicit CopyEngine(const Graph& graph) : graph_(graph), last_(graph.traits.size()) {
    for (auto& of_device : last_) of_device.fill(no_index);
  }

  std::optional<Held> held(std::uint32_t t, std::int64_t) override {
    const Task& task = graph_.tasks[t];
    const auto engine = static_cast<std::size_t>(task.engine);
    if (!graph_.traits[task.device].exclusive[engine]) return std::nullopt;
    std::uint32_t& last = last_[task.device][engine];
    const std::uint32_t before = last;
    if (before == no_index || graph_.tasks[before].end < task.end) last = t;
    if (before == no_index || graph_.tasks[before].end > task.start + assumed::clock_tolerance) {
      return std::nullopt;
    }
    return Held{before, graph_.tasks[before].end};
  }

 private:
  const Graph& graph_;
  std::vector<std::array<std::uint32_t, all_engines.size()>> last_;  // to end, by device
};

std::unique_ptr<EngineConstraint> copy_engine_engines(Graph& graph) {
  return std::make_unique<CopyEngine>(graph);
}

}  // namespace

const Constraint copy_engine_constraint{Cause::copy_engine, nullptr, copy_engine_engines};

}  // namespace lapscope::analyzer
