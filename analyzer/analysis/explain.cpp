#include "analyzer/analysis/explain.h"

#include <algorithm>
#include <map>
#include <memory>

#include "analyzer/analysis/correction.h"
#include "analyzer/analysis/evaluate.h"
#include "analyzer/analysis/group_sample.h"
#include "analyzer/analysis/kernel_inputs.h"
#include "analyzer/explain/gaps.h"
#include "analyzer/findings/find_host_work.h"
#include "analyzer/scope/sweep.h"

namespace lapscope::analyzer {
namespace {

// The numbers of progress steps: for building one graph, and for explaining the gaps.
constexpr std::int64_t steps_of_graph = 4;
constexpr std::int64_t steps_of_gaps = 2;

// Returns the gaps of a scope with their causes. Makes a second sweep over the ops, because the
// first sweep (evaluate.cpp) had no graph to explain the gaps.
GapsResult explained_gaps(const Context& context, const Sources& sources,
                          const ResolvedScope& scope) {
  const Device& device = context.trace.devices[scope.device];
  const GapExplainer explainer(sources, scope.device);
  GapOptions options = context.options.gaps;
  options.lists_ends = context.options.timeline;
  GapObserver gaps(context.trace, device, options, &explainer);
  sweep(device.ops, scope.scope, gaps);
  return describe_gaps(gaps.gaps(), context.trace, context.host, device);
}

HostTimes::TimesByThread waits_for_host(const Sources& recorded, const GraphScope& scope) {
  const Trace& trace = recorded.trace;
  std::map<std::uint32_t, std::vector<Interval>> waits;
  for (const Part& part : critical_path(recorded, scope.tasks, scope.window)) {
    if (part.is_work || !part.is_gap) continue;
    waits[trace.calls.thread_of(recorded.graph.steps[part.step].call)].push_back(part.interval);
  }
  HostTimes::TimesByThread times;
  for (auto& [thread, of_thread] : waits) {
    times[thread] = IntervalSet::union_of(std::move(of_thread));
  }
  return times;
}

// `times` has the host activity of each scope, or null if it was not recorded.
std::vector<Explained> explained(const Context& context, ScopeGroup group,
                                 const std::vector<const HostActivity*>& times, bool lists_stacks) {
  const Trace& trace = context.trace;
  const Interval replayed = graph_interval(trace, group);
  // The lead is an interval before the window. It contains the last call of each thread before the
  // window. The trace does not show how threads waited for each other after these calls, so fixes
  // are replayed without the lead.
  const Interval lead = graph_interval_with_lead(trace, group);
  const bool has_lead = !(lead == replayed);
  Progress* progress = context.options.causes.progress;
  if (!has_lead) skip_steps(progress, steps_of_graph);
  auto graph = std::make_unique<CorrectedGraph>(context, replayed);
  advance(progress, steps_of_graph);
  std::vector<GraphScope> scopes;
  std::vector<const ResolvedScope*> resolved;
  for (const ResolvedScope& one : group) {
    scopes.push_back(graph_scope(graph->recorded(), one.device, one.scope));
    resolved.push_back(&one);
  }
  auto causes = corrected_causes(context, *graph, resolved, scopes);
  std::vector<Explained> results(group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (scopes[i].tasks.empty()) continue;
    results[i].causes = std::move(causes[i]);
    results[i].inputs = inputs_of_communication(
        {trace, context.host, graph->recorded(), nullptr, graph->charges()}, scopes[i]);
    if (times[i] == nullptr) continue;
    name_host_work(graph->sources(context), graph->corrected(scopes[i]), *times[i],
                   context.options.causes, *results[i].causes);
  }
  for (std::size_t i = 0; lists_stacks && i < group.size(); ++i) {
    results[i].host_waits = waits_for_host({trace, context.host, graph->recorded()}, scopes[i]);
  }
  if (has_lead) {
    graph.reset();
    graph = std::make_unique<CorrectedGraph>(context, lead);
    advance(progress, steps_of_graph);
  }
  // The gaps are those of the recorded run. Their idle time includes the time that recording adds.
  const Sources recorded{trace, context.host, graph->recorded(), nullptr, graph->charges()};
  for (std::size_t i = 0; i < group.size(); ++i) {
    results[i].gaps = explained_gaps(context, recorded, group[i]);
    if (has_lead && results[i].causes) {
      describe_corrected_path(context, *graph, group[i], *results[i].causes);
    }
  }
  advance(progress, steps_of_gaps);
  return results;
}

void explain(const Context& context, const HostTimes& host_times, ScopeGroup group,
             std::vector<DeviceResult>& devices) {
  const auto sample = GroupSample::of(context, group);
  const ScopeGroup judged = sample ? sample->group() : group;
  std::vector<const HostActivity*> times;
  for (const ResolvedScope& one : judged) {
    const auto& time = result_of(context, one, devices).host_time;
    times.push_back(time ? &*time : nullptr);
  }
  const bool lists_stacks = host_times.lists_stacks() && !sample;
  std::vector<Explained> results =
      explained(sample ? sample->context() : context, judged, times, lists_stacks);
  if (sample) {
    std::vector<const ScopeResult*> whole;
    for (const ResolvedScope& one : group) whole.push_back(&result_of(context, one, devices));
    results = sample->stands_for(whole, std::move(results));
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    ScopeResult& result = result_of(context, group[i], devices);
    result.gaps = std::move(results[i].gaps);
    if (!sample) result.inputs = std::move(results[i].inputs);
    if (lists_stacks) {
      result.host_waits = host_times.stacks_while(group[i], results[i].host_waits);
    }
    if (!results[i].causes) continue;
    result.causes = std::move(results[i].causes);
    if (const auto& correction = result.causes->correction) {
      result.measures.push_back({&corrected_wall, Nanoseconds{correction->corrected_ns}});
    }
  }
}

}  // namespace

ScopeResult& result_of(const Context& context, const ResolvedScope& scope,
                       std::vector<DeviceResult>& devices) {
  const std::int64_t id = context.trace.devices[scope.device].id;
  DeviceResult& device = *std::ranges::find(devices, id, &DeviceResult::id);
  const auto range = std::ranges::find_if(device.ranges, [&](const RangeResult& result) {
    return result.kind == scope.kind && result.name == scope.name;
  });
  return range == device.ranges.end() ? device.scope : range->scope;
}

void explain(const Context& context, const HostTimes& host_times,
             std::vector<DeviceResult>& devices) {
  const bool leaves_whole_out = !context.options.explain_whole &&
                                std::ranges::all_of(devices, [](const DeviceResult& device) {
                                  return steady_state_of(device) != nullptr;
                                });
  std::vector<ScopeGroup> groups = scope_groups(context.scopes);
  if (leaves_whole_out) {
    std::erase_if(groups, [](ScopeGroup group) { return group.front().kind == ScopeKind::device; });
  }
  begin_part(AnalysisPart::explaining,
             static_cast<std::int64_t>(groups.size()) *
                 (2 * steps_of_graph + steps_of_causes() + steps_of_gaps),
             context.options);
  for (const ScopeGroup group : groups) explain(context, host_times, group, devices);
}

}  // namespace lapscope::analyzer
