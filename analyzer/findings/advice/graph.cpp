#include <fmt/format.h>

#include "analyzer/findings/advice/steps.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

bool is_launched_alone(const Graph& graph, const Task& task) {
  return task.engine == Engine::compute && task.step != no_index &&
         !graph.steps[task.step].is_graph_launch;
}

}  // namespace

// Kernels that were launched long before still take a while from one to the next, in which a device
// with nothing else to do is idle. In a CUDA graph that takes next to nothing (latency_in_graph).
//
//   stream 1  AA.BB.CC.DD    the three gaps
void advise_graph(const AdviceInput& in, std::vector<Advice>& advice) {
  if (in.is_found(Cause::launch_overhead)) return;
  const Graph& graph = in.sources.graph;
  std::vector<Interval> gaps;
  for (const std::uint32_t t : in.scope.tasks) {
    const Task& task = graph.tasks[t];
    const Binding& binding = graph.bindings[t];
    if (binding.cause != Cause::stream_order || !is_launched_alone(graph, task)) continue;
    const Task& ahead = graph.tasks[binding.from];
    if (is_launched_alone(graph, ahead)) gaps.push_back({ahead.end, ahead.end + binding.lag});
  }
  const auto count = static_cast<std::int64_t>(gaps.size());
  std::vector<Interval> busy;
  for (const auto& of_engine : in.use.busy) {
    busy.insert(busy.end(), of_engine.begin(), of_engine.end());
  }
  const IntervalSet all = IntervalSet::union_of(std::move(gaps));
  const std::int64_t idle =
      all.length() - intersect(all, IntervalSet::union_of(std::move(busy))).length();
  if (share(idle, in.wall) < assumed::least_saving) return;
  advice.push_back(
      {"graph", fmt::format("The GPU is idle for {:.1f} % of the time between {} kernels and those "
                            "behind them in their stream, {:.1f} us each. Launch them in a CUDA "
                            "graph, where one follows the other sooner.",
                            100 * share(idle, in.wall), count,
                            static_cast<double>(idle) / static_cast<double>(count) / 1e3)});
}

}  // namespace lapscope::analyzer
