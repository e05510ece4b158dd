#include "analyzer/analysis/kernel_inputs.h"

#include <algorithm>
#include <optional>

namespace lapscope::analyzer {

std::vector<KernelInputs> inputs_of_communication(const Graph& graph, const GraphScope& scope) {
  std::vector<KernelInputs> inputs;
  for (const std::uint32_t t : scope.tasks) {
    const Task& task = graph.tasks[t];
    if (!task.communicates || task.op == no_index) continue;
    std::optional<Ns> ready;   // the last end of an op that does not communicate
    std::optional<Ns> behind;  // the last start of a communication kernel
    bool awaits_other_stream = false;
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      const bool communicates = graph.tasks[edge.from].communicates;
      awaits_other_stream |= communicates && edge.cause != Cause::stream_order;
      const Ns time =
          communicates ? graph.times.tasks[edge.from].start : released_at(graph.times, edge);
      std::optional<Ns>& last = communicates ? behind : ready;
      last = std::max(last.value_or(time), time);
    }
    if (awaits_other_stream) continue;
    if (!ready) ready = behind;
    if (task.step != no_index) {
      const Ns issued = issues_at(graph, graph.times, task.step);
      ready = std::max(ready.value_or(issued), issued);
    }
    if (ready) inputs.push_back({task.op, *ready});
  }
  return inputs;
}

}  // namespace lapscope::analyzer
