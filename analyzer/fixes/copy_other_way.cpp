#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Every second copy that waited for its engine goes the other way. That is the most that can be
// gained without copying less.
void apply(const Trace&, double, Graph& graph) {
  bool turn = false;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    Task& task = graph.tasks[t];
    if (task.engine != Engine::h2d && task.engine != Engine::d2h) continue;
    if (graph.bindings[t].cause != Cause::copy_engine) continue;
    turn = !turn;
    if (turn) task.engine = task.engine == Engine::h2d ? Engine::d2h : Engine::h2d;
  }
}

}  // namespace

const Fix copy_other_way{Cause::copy_engine, "half of the copies that wait go the other way", "",
                         true, apply};

}  // namespace lapscope::analyzer
