#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {

void scale_engine(Engine engine, double factor, Graph& graph) {
  for (Task& task : graph.tasks) {
    if (task.op == no_index || task.engine != engine) continue;
    task.work = static_cast<std::int64_t>(static_cast<double>(task.work) / factor);
    if (task.rank == no_index) continue;
    std::int64_t& after_last = graph.ranks[task.rank].after_last;
    after_last = static_cast<std::int64_t>(static_cast<double>(after_last) / factor);
  }
}

}  // namespace lapscope::analyzer
