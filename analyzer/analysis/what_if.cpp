#include "analyzer/analysis/what_if.h"

#include <algorithm>
#include <exception>

#include "analyzer/analysis/correction.h"
#include "analyzer/analysis/fitted_costs.h"
#include "analyzer/analysis/recorder_doubts.h"
#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/explain/blame.h"
#include "analyzer/findings/error_band.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/findings/predict.h"
#include "analyzer/independence/independence.h"
#include "analyzer/measures/measure.h"
#include "analyzer/replay/blind.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {
namespace {

constexpr const Measure* compared[] = {&overlap_ratio, &overlap_efficiency, &copy_hidden,
                                       &idle_ratio};

WhatIfScope before(const Context& context, const Graph& graph, const GraphScope& scope,
                   const Times& base, const Times& unseen) {
  const Device& device = context.trace.devices[scope.device];
  WhatIfScope result;
  result.device = device.id;
  result.device_name = device.name;
  result.wall_ns = scope.window.length();
  const Activity activity =
      replayed_activity(device, context.communication, graph, scope, graph.times);
  for (const Measure* measure : compared) {
    result.ratios.push_back({measure, measure->compute(activity), Undefined{}});
  }
  if (activity.sum > 0) {
    result.overlap_ratio =
        1 - static_cast<double>(result.wall_ns) / static_cast<double>(activity.sum);
  }
  result.replay = replay_result(scope, base, unseen);
  return result;
}

// Sets WhatIfScope::unexplained_share. Uses the same graph as analyze() uses to find the critical
// path (explain.cpp).
void add_unexplained(const Context& context, ScopeGroup group, const CorrectedGraph& replayed,
                     const std::vector<const ResolvedScope*>& predicted,
                     std::vector<WhatIfScope>& results) {
  std::optional<CorrectedGraph> with_lead;
  const Interval lead = graph_interval_with_lead(context.trace, group);
  if (!(lead == graph_interval(context.trace, group))) {
    with_lead.emplace(context, lead);
  }
  const CorrectedGraph& graph = with_lead ? *with_lead : replayed;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    CausesResult path;
    describe_corrected_path(context, graph, *predicted[i], path);
    results[i].unexplained_share = path.unexplained_share;
  }
}

void add_prediction(const Context& context, const GraphScope& scope, const PredictedRun& run,
                    const std::vector<FixRequest>& requests, WhatIfScope& result) {
  const Replayed& replayed = longer_end(scope, run);
  result.predicted = predict(run.program, scope, run);
  result.predicted.changed = changed_by(requests);
  judge_validity(result.replay, result.device_name, result.predicted);
  result.assumed = replayed.stand_ins;
  result.begins_earlier_ns = std::max<Ns>(0, scope.window.start - window_of(scope, replayed).start);
  const Activity activity = replayed_activity(context.trace.devices[scope.device],
                                              context.communication, run.program, scope, replayed);
  for (PredictedRatio& ratio : result.ratios) ratio.predicted = ratio.measure->compute(activity);
}

// The prediction of a fix may need the copy rate of an engine. If the trace does not show this
// rate, adds a health row for the fix. Adds no row if one of the requests scales an engine.
void note_missing_evidence(const Trace& trace, const Graph& graph,
                           const std::vector<FixRequest>& requests,
                           std::vector<HealthRow>& health) {
  const auto is_scale = [](const FixRequest& one) { return one.fix == nullptr; };
  if (std::any_of(requests.begin(), requests.end(), is_scale)) return;
  for (const FixRequest& one : requests) {
    const std::optional<Engine> unknown = one.fix->lacks(trace, graph);
    if (!unknown) continue;
    health.push_back({HealthKind::fix_unknown, 1, {std::string(name_of(*unknown))}});
  }
}

// Some fixes require independent ops (Fix::where_independent). Limits them to the places where the
// trace shows independence, as the search for findings does. If the trace shows no such place, the
// fix is made everywhere. If the user gave the fix a number (FixRequest::value), the fix is made
// everywhere, too.
std::vector<FixRequest> as_found(std::vector<FixRequest> requests, const Trace& trace,
                                 const Graph& graph, const Independence& independence) {
  for (FixRequest& one : requests) {
    const bool may_need_independence =
        one.fix && one.fix->where_independent && one.fix->takes_number;
    if (!may_need_independence || one.value > 0) continue;
    if (one.fix->where_independent(trace, graph, independence)) one.independence = &independence;
  }
  return requests;
}

std::vector<WhatIfScope> predict_all(const Context& context, ScopeGroup group,
                                     const std::vector<FixRequest>& requests,
                                     std::vector<HealthRow>& health) {
  const Trace& trace = context.trace;
  std::optional<CorrectedGraph> corrected(std::in_place, context, graph_interval(trace, group));
  const Graph& graph = corrected->graph();
  note_missing_evidence(trace, graph, requests, health);
  std::vector<GraphScope> scopes;
  std::vector<GraphScope> recorded_scopes;
  std::vector<const ResolvedScope*> predicted;  // by scope
  for (const ResolvedScope& one : group) {
    GraphScope scope = graph_scope(corrected->recorded(), one.device, one.scope);
    if (scope.tasks.empty()) continue;
    scopes.push_back(corrected->corrected(scope));
    recorded_scopes.push_back(std::move(scope));
    predicted.push_back(&one);
  }
  const auto added = estimated_added(trace, *corrected, recorded_scopes);
  std::vector<WhatIfScope> results;
  std::int64_t stuck = 0;
  {
    const Replayed base = replay(graph);
    const Replayed unseen = replay(blind(trace, graph));
    stuck = base.stuck;
    for (std::size_t i = 0; i < scopes.size(); ++i) {
      WhatIfScope& result = results.emplace_back(before(context, graph, scopes[i], base, unseen));
      result.estimated_added = added[i];
      result.impossible_ops = impossible_ops_of(trace, *predicted[i]);
      if (!corrected->is_corrected()) continue;
      result.correction = corrected->correction(trace, *predicted[i], recorded_scopes[i]);
    }
  }
  add_unexplained(context, group, *corrected, predicted, results);
  const Independence independence(trace);
  const std::vector<Charge> charges = corrected->charges();
  PredictedRun run =
      Predictor({trace, context.host, graph}).run(as_found(requests, trace, graph, independence));
  const Replayed& replayed = run.most;
  // Frees half of the used memory, because the graph of a large trace may fill the whole memory.
  corrected.reset();
  stuck += replayed.stuck;
  // `stuck` counts the tasks that nothing releases, so that they never run in a replay. If there
  // are any, the prediction is not valid.
  if (stuck > 0) health.push_back({HealthKind::replay_stuck, stuck});
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    add_prediction(context, scopes[i], run, requests, results[i]);
    scopes[i].window = window_of(scopes[i], replayed);
  }
  const Graph after = rebased(std::move(run.program), replayed);
  auto causes =
      find_causes({trace, context.host, after, nullptr, charges}, scopes, context.options.causes);
  for (std::size_t i = 0; i < scopes.size(); ++i) results[i].after = std::move(causes[i]);
  return results;
}

}  // namespace

WhatIfReport what_if(const Trace& trace, const AnalyzeOptions& options,
                     const std::vector<FixRequest>& requests) {
  WhatIfReport report;
  report.trace = trace.facts;
  report.health = trace.health;
  report.changes = requests;
  if (hides_causes(trace.health)) return report;
  const Context context(trace, options, fitted_costs(trace, options));
  const bool asks_for_ranges =
      !options.ranges.empty() || options.profiler_brackets || context.steady;
  std::exception_ptr nothing_at_site;
  for (const ScopeGroup group : scope_groups(context.scopes)) {
    const ScopeKind kind = group.front().kind;
    const bool is_own = kind == ScopeKind::device || kind == ScopeKind::window;
    if (is_own == asks_for_ranges) continue;
    try {
      for (WhatIfScope& scope : predict_all(context, group, requests, report.health)) {
        scope.kind = kind;
        if (kind == ScopeKind::steady) {
          scope.steady = context.steady;
        } else {
          scope.range = group.front().name;
        }
        report.scopes.push_back(std::move(scope));
      }
    } catch (const NothingAtSite&) {
      nothing_at_site = std::current_exception();
    }
  }
  // A fix may name a call site that only some ranges contain. At least one range must contain it.
  if (report.scopes.empty() && nothing_at_site) std::rethrow_exception(nothing_at_site);
  return report;
}

}  // namespace lapscope::analyzer
