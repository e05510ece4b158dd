#include <algorithm>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// Kernels of one wave that kept others out leave room for them and take as long as before; streams
// that waited for kernels of many waves get a higher priority.
void apply(const Trace&, double, Graph& graph) {
  std::vector<bool> leaves(graph.uses.size());
  std::int64_t highest = 0;
  for (const GraphStream& stream : graph.streams) highest = std::min(highest, stream.priority);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Binding& binding = graph.bindings[t];
    if (binding.cause != Cause::sm_saturated || binding.from == no_index) continue;
    const Task& holder = graph.tasks[binding.from];
    if (holder.geometry == no_index || holder.stream == graph.tasks[t].stream) continue;
    if (graph.uses[holder.geometry].fills()) {
      graph.streams[graph.tasks[t].stream].priority = highest - 1;
    } else {
      leaves[holder.geometry] = true;
    }
  }
  for (Task& task : graph.tasks) {
    if (task.geometry != no_index && leaves[task.geometry]) task.geometry = no_index;
  }
}

}  // namespace

const Fix leave_room{Cause::sm_saturated, "kernels leave room for those of other streams", "", true,
                     apply};

}  // namespace lapscope::analyzer
