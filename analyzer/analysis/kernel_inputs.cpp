#include "analyzer/analysis/kernel_inputs.h"

#include <algorithm>
#include <optional>

namespace lapscope::analyzer {
namespace {

// Returns, for each step, the time that recording added to the host's own time until the step
// began. Only threads that issued work of the scope count. Leaves out what lies in a wait, because
// a wait gets longer by the time that the host gains.
std::vector<Ns> charged_before(const Sources& program, const GraphScope& scope) {
  const Graph& graph = program.graph;
  std::vector<bool> issues(graph.steps.size());
  for (const std::uint32_t task : scope.tasks) {
    const std::uint32_t step = graph.tasks[task].step;
    if (step != no_index) issues[step] = true;
  }
  std::vector<std::uint32_t> order;
  for (const ThreadSteps& thread : graph.threads) {
    if (std::find(issues.begin() + thread.first, issues.begin() + thread.last, true) ==
        issues.begin() + thread.last) {
      continue;
    }
    for (std::uint32_t step = thread.first; step < thread.last; ++step) order.push_back(step);
  }
  std::ranges::stable_sort(order, {},
                           [&](std::uint32_t step) { return graph.times.steps[step].start; });
  std::vector<Ns> before(graph.steps.size());
  Ns sum = 0;
  for (const std::uint32_t step : order) {
    const CallKind kind = program.trace.calls.kind[graph.steps[step].call];
    const bool is_poll = kind == CallKind::query;
    if (!is_poll) sum += program.charges[step].before;
    before[step] = sum;
    if (!is_poll && !may_wait(kind)) sum += program.charges[step].call;
  }
  return before;
}

}  // namespace

std::vector<KernelInputs> inputs_of_communication(const Sources& program, const GraphScope& scope) {
  const Graph& graph = program.graph;
  const bool is_charged = !program.charges.empty();
  const std::vector<Ns> charged =
      is_charged ? charged_before(program, scope) : std::vector<Ns>(graph.steps.size());
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
    if (ready) inputs.push_back({task.op, *ready, task.step == no_index ? 0 : charged[task.step]});
  }
  return inputs;
}

}  // namespace lapscope::analyzer
