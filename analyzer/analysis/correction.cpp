#include "analyzer/analysis/correction.h"

#include <algorithm>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/bare_wall.h"
#include "analyzer/analysis/host_clock.h"
#include "analyzer/analysis/recorder_doubts.h"
#include "analyzer/explain/blame.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/graph/build_graph.h"

namespace lapscope::analyzer {
namespace {

void move_path(Ns by, CausesResult& result) {
  for (PathStretch& stretch : result.critical_path) {
    stretch.interval.start += by;
    stretch.interval.end += by;
  }
}

void note_what_came_first(const Context& context, const CorrectedGraph& graph,
                          const std::vector<GraphScope>& recorded,
                          std::vector<CausesResult>& results) {
  const Sources as_recorded{context.trace, context.host, graph.recorded()};
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (!results[i].correction || results[i].blame.empty()) continue;
    const auto before = blame_of(critical_path(as_recorded, recorded[i].tasks, recorded[i].window),
                                 recorded[i].device);
    const std::string_view now = results[i].blame.front().code;
    if (before.empty() || before.front().code == now) continue;
    results[i].correction->first_recorded = before.front().code;
    results[i].correction->first_corrected = now;
  }
}

// Throws TooManyToReplay if the graph would take too much memory.
Graph graph_within(const Context& context, Interval issued) {
  const std::size_t size = size_of_replay(context.trace, issued);
  const std::size_t most = context.options.most_replayed;
  if (size > most) throw TooManyToReplay(size, most);
  return build_graph(context.trace, issued, context.communication);
}

}  // namespace

std::size_t size_of_replay(const Trace& trace, Interval issued) {
  std::size_t ops = 0;
  for (const Device& device : trace.devices) {
    for (std::uint32_t op = 0; op < device.ops.size(); ++op) {
      const Ns time = time_of_issue(device.ops, trace.calls, op);
      ops += issued.start <= time && time < issued.end ? 1 : 0;
    }
  }
  const auto calls = std::ranges::count_if(
      trace.calls.start, [&](Ns time) { return issued.start <= time && time < issued.end; });
  return std::max(ops, static_cast<std::size_t>(calls) / 2);
}

CorrectedGraph::CorrectedGraph(const Context& context, Interval issued)
    : recorded_(graph_within(context, issued)) {
  const CallCosts& costs = context.costs;
  if (costs.empty()) return;
  calibrated_ = costs.created;
  factor_ = costs.factor;
  iterations_error_ = costs.iterations_error;
  charges_ = charges_of(context.trace, costs, recorded_);
  without_ = without_recorder(costs, charges_, recorded_);
}

Sources CorrectedGraph::sources(const Context& context) const {
  return {context.trace, context.host, graph(), without_ ? &recorded_.times : nullptr, charges_};
}

GraphScope CorrectedGraph::corrected(GraphScope scope) const {
  if (without_ && !scope.tasks.empty()) scope.window = window_of(scope, without_->times);
  return scope;
}

Correction CorrectedGraph::correction(const Trace& trace, const ResolvedScope& resolved,
                                      const GraphScope& recorded) const {
  Correction correction;
  correction.recorded_ns = recorded.window.length();
  correction.corrected_ns = corrected(recorded).window.length();
  correction.calibrated = calibrated_;
  correction.factor = factor_;
  correction.iterations_error = iterations_error_;
  if (without_) add_host_time(trace, resolved, recorded, correction);
  return correction;
}

void CorrectedGraph::add_host_time(const Trace& trace, const ResolvedScope& resolved,
                                   const GraphScope& recorded, Correction& correction) const {
  if (resolved.ranges.empty()) return;
  const auto ranges = corrected_ranges(recorded_, without_->times, recorded.tasks, resolved.ranges);
  if (!ranges) return;
  const Ns corrected = open_time(*ranges);
  correction.host_recorded_ns = open_time(resolved.ranges);
  correction.host_corrected_ns = corrected;
  const auto bare = bare_wall_of(trace, resolved);
  if (!bare || !bare->reason.empty() || bare->median_ns <= 0) return;
  correction.bare_error = static_cast<double>(corrected) / static_cast<double>(bare->median_ns) - 1;
}

std::vector<CausesResult> corrected_causes(const Context& context, const CorrectedGraph& graph,
                                           const std::vector<const ResolvedScope*>& resolved,
                                           const std::vector<GraphScope>& recorded) {
  std::vector<GraphScope> scopes;
  for (const GraphScope& scope : recorded) scopes.push_back(graph.corrected(scope));
  auto results = find_causes(graph.sources(context), scopes, context.options.causes);
  if (graph.is_corrected()) {
    for (std::size_t i = 0; i < scopes.size(); ++i) {
      if (scopes[i].tasks.empty()) continue;
      results[i].correction = graph.correction(context.trace, *resolved[i], recorded[i]);
      move_path(recorded[i].window.start - scopes[i].window.start, results[i]);
    }
    note_what_came_first(context, graph, recorded, results);
  }
  leave_doubts_open(context.trace, graph, recorded, results);
  return results;
}

void describe_corrected_path(const Context& context, const CorrectedGraph& graph,
                             const ResolvedScope& resolved, CausesResult& result) {
  const GraphScope recorded = graph_scope(graph.recorded(), resolved.device, resolved.scope);
  const GraphScope scope = graph.corrected(recorded);
  describe_path(graph.sources(context), scope, context.options.causes.path_listed, result);
  if (!graph.is_corrected()) return;
  move_path(recorded.window.start - scope.window.start, result);
  // The blame comes from the corrected graph, so its rows add up to the wall time of that graph.
  if (result.correction) result.correction->corrected_ns = scope.window.length();
}

}  // namespace lapscope::analyzer
