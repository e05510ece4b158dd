#include "analyzer/analysis/kernel_inputs.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace lapscope::analyzer {
namespace {

// Returns, for each step, the time that recording added to all threads until the step began.
std::vector<Ns> charged_before(const Graph& graph, std::span<const Charge> charges) {
  std::vector<std::uint32_t> order(charges.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {},
                           [&](std::uint32_t step) { return graph.times.steps[step].start; });
  std::vector<Ns> before(charges.size());
  Ns sum = 0;
  for (const std::uint32_t step : order) {
    before[step] = sum += charges[step].before;
    sum += charges[step].call;
  }
  return before;
}

}  // namespace

std::vector<KernelInputs> inputs_of_communication(const Graph& graph, const GraphScope& scope,
                                                  std::span<const Charge> charges) {
  const std::vector<Ns> charged = charged_before(graph, charges);
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
    const bool is_charged = task.step != no_index && !charged.empty();
    if (task.step != no_index) {
      const Ns issued = issues_at(graph, graph.times, task.step);
      ready = std::max(ready.value_or(issued), issued);
    }
    if (ready) inputs.push_back({task.op, *ready, is_charged ? charged[task.step] : 0});
  }
  return inputs;
}

}  // namespace lapscope::analyzer
