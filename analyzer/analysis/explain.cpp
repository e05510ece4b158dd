#include "analyzer/analysis/explain.h"

#include <algorithm>

#include "analyzer/analysis/describe_gaps.h"
#include "analyzer/findings/blame.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/gaps/gaps.h"
#include "analyzer/graph/build_graph.h"
#include "analyzer/scope/sweep.h"

namespace lapscope::analyzer {
namespace {

ScopeResult& result_of(const Context& context, const ResolvedScope& scope,
                       std::vector<DeviceResult>& devices) {
  const std::int64_t id = context.trace.devices[scope.device].id;
  DeviceResult& device = *std::find_if(
      devices.begin(), devices.end(), [id](const DeviceResult& result) { return result.id == id; });
  const auto range =
      std::find_if(device.ranges.begin(), device.ranges.end(), [&](const RangeResult& result) {
        return result.kind == scope.kind && result.name == scope.name;
      });
  return range == device.ranges.end() ? device.scope : range->scope;
}

// A sweep of its own: which gaps there are is known, and what is in them only now.
GapsResult explained_gaps(const Context& context, const Sources& sources,
                          const ResolvedScope& scope) {
  const Device& device = context.trace.devices[scope.device];
  const GapExplainer explainer(sources, scope.device);
  GapObserver gaps(context.trace, device, context.options.gaps, &explainer);
  sweep(device.ops, scope.scope, gaps);
  return describe_gaps(gaps.gaps(), context.trace, context.host, device);
}

void explain(const Context& context, ScopeGroup group, std::vector<DeviceResult>& devices) {
  const Trace& trace = context.trace;
  const Interval replayed = graph_interval(trace, group);
  Graph graph = build_graph(trace, replayed, context.communication);
  const Sources sources{trace, context.host, graph};
  std::vector<GraphScope> scopes;
  for (const ResolvedScope& one : group) {
    scopes.push_back(graph_scope(graph, one.device, one.scope));
  }
  auto causes = find_causes(sources, scopes, context.options.causes);
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (scopes[i].tasks.empty()) continue;
    result_of(context, group[i], devices).causes = std::move(causes[i]);
  }
  // No fix is replayed with the calls of the lead: they were made at other times by each thread,
  // and what the threads did for each other in between is not known.
  const Interval lead = graph_interval_with_lead(trace, group);
  const bool has_lead = !(lead == replayed);
  if (has_lead) {
    graph = {};
    graph = build_graph(trace, lead, context.communication);
  }
  for (const ResolvedScope& one : group) {
    ScopeResult& result = result_of(context, one, devices);
    result.gaps = explained_gaps(context, sources, one);
    if (!has_lead || !result.causes) continue;
    describe_path(sources, graph_scope(graph, one.device, one.scope),
                  context.options.causes.path_listed, *result.causes);
  }
}

}  // namespace

void explain(const Context& context, std::vector<DeviceResult>& devices) {
  for (const ScopeGroup group : scope_groups(context.scopes)) explain(context, group, devices);
}

}  // namespace lapscope::analyzer
