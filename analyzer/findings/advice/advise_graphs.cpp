#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/findings/advice/steps.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

bool is_launched_kernel(const Sources& sources, const Task& task) {
  return task.op != no_index && task.step != no_index &&
         sources.trace.devices[task.device].ops.kind[task.op] == OpKind::kernel &&
         !is_graph_node(sources.graph, task);
}

}  // namespace

// Adds advice if the device is often idle between two kernels of a stream. Kernels of a stream have
// a short gap between them, even if they were launched long before. In a CUDA graph, the gap is
// almost zero (docs/hardware.md).
//
//   stream 1  AA.BB.CC.DD    three gaps
void advise_graph(const AdviceInput& in, std::vector<Advice>& advice) {
  if (!in.result.findings.empty()) return;
  const Graph& graph = in.sources.graph;
  const IntervalSet busy = busy_with(in, all_engines);
  const auto is_idle = [&busy](const Interval& gap) {
    const std::size_t next = busy.first_ending_after(gap.start);
    return next == busy.intervals().size() || busy.intervals()[next].start >= gap.end;
  };
  std::vector<Interval> gaps;
  for (const std::uint32_t t : in.scope.tasks) {
    const Task& task = graph.tasks[t];
    const Binding& binding = graph.bindings[t];
    if (binding.cause != Cause::stream_order || !is_launched_kernel(in.sources, task)) continue;
    if (!is_launched_kernel(in.sources, graph.tasks[binding.from])) continue;
    const Interval gap =
        Interval{binding.release, graph.times.tasks[t].start}.within(in.scope.window);
    if (gap.length() == 0 || gap.length() > assumed::start_at_once) continue;
    if (is_idle(gap)) gaps.push_back(gap);
  }
  const std::size_t count = gaps.size();
  const Ns idle = IntervalSet::union_of(std::move(gaps)).length();
  if (portion(idle, in.wall) < assumed::least_saving) return;
  advice.push_back(
      {GapsBetweenKernels{portion(idle, in.wall), static_cast<std::int64_t>(count), idle}});
}

// Finds streams that share hardware queues although CUDA_DEVICE_MAX_CONNECTIONS is at its maximum.
void advise_queues(const AdviceInput& in, std::vector<Advice>& advice) {
  const auto& settings = in.sources.trace.settings;
  const auto asked = settings.find("CUDA_DEVICE_MAX_CONNECTIONS");
  const std::string most = std::to_string(assumed::most_connections);
  if (asked == settings.end() || asked->second != most || in.is_found(Cause::queue_alias)) return;
  const Recurring recurring(in.sources.trace, in.sources.graph);
  const BlockingTimes blocking_times(in.sources, recurring);
  const Ns waited =
      blocking_times.blocked_by(Cause::queue_alias, in.scope.tasks, in.scope.window).time();
  if (portion(waited, in.wall) < assumed::least_saving) return;
  advice.push_back({SharedQueues{portion(waited, in.wall), assumed::most_connections}});
}

}  // namespace lapscope::analyzer
