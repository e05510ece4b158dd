#include "analyzer/findings/predict.h"

#include <algorithm>

#include "analyzer/findings/fix_at_place.h"
#include "analyzer/findings/places.h"
#include "analyzer/fixes/edit.h"
#include "analyzer/graph/sharing.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {

bool make(const FixRequest& request, const Trace& trace, Graph& graph) {
  if (request.shown && request.fix->apply_shown) {
    return request.fix->apply_shown(trace, *request.shown, graph);
  }
  request.fix->apply(trace, request.value, graph);
  return true;
}

Graph with_fixes(const Sources& sources, const std::vector<FixRequest>& requests, Sharing end) {
  Graph changed = sources.graph;
  assume(end, changed);
  for (const FixRequest& request : requests) {
    // What the next fix is to find is what is left after this one.
    if (&request != &requests.front()) changed = rebased(changed, replay(changed));
    if (!request.fix) {
      scale_engine(request.engine, request.value, changed);
      continue;
    }
    if (request.site.empty()) {
      make(request, sources.trace, changed);
      continue;
    }
    const Graph before = changed;
    const auto make_at_site = [&](const FixRequest& one) {
      make(one, sources.trace, changed);
      const auto is_site = [&one](const CodePlace& place) { return is_meant(place, one.site); };
      return keep_at({sources.trace, sources.host, before}, one.fix->cause, is_site, changed);
    };
    if (make_at_site(request)) continue;
    FixRequest everywhere = request;
    everywhere.shown = nullptr;
    changed = before;
    if (!request.shown || !make_at_site(everywhere)) throw NothingAtSite(request);
  }
  return changed;
}

PredictedRun replay_both(const Graph& graph, const std::function<Graph(Sharing)>& changed) {
  PredictedRun run{replay(changed(Sharing::most)), std::nullopt};
  if (run.is_in_doubt(graph)) run.least = replay(changed(Sharing::least));
  return run;
}

// Kernels that were recorded beside each other had less to do if they share much. So a fix that
// moves them apart may save more at that end; mostly the other one saves more.
const Replayed& longer_end(const GraphScope& scope, const PredictedRun& run) {
  const bool is_least = run.least && wall_of(scope, *run.least) > wall_of(scope, run.most);
  return is_least ? *run.least : run.most;
}

Prediction predict(const Graph& graph, const GraphScope& scope, const PredictedRun& run) {
  const Replayed& longest = longer_end(scope, run);
  Prediction prediction;
  prediction.longer = &longest == &run.most ? Sharing::most : Sharing::least;
  const bool is_of_last_waves = !graph.is_in_doubt && run.most.in_doubt_ns < run.most.last_waves_ns;
  prediction.doubt = is_of_last_waves ? Doubt::last_wave : Doubt::sharing;
  prediction.waits_for_values = scope.waits_for_values;
  prediction.has_races = scope.has_races;
  prediction.wall_ns = wall_of(scope, longest);
  prediction.least_wall_ns = run.least
                                 ? std::min(wall_of(scope, run.most), wall_of(scope, *run.least))
                                 : prediction.wall_ns;
  prediction.busy_share =
      busiest_engine(graph, scope, intervals_of(scope, longest), prediction.wall_ns).share;
  const std::int64_t sum = sum_of(scope, longest);
  if (sum > 0) {
    prediction.overlap_ratio =
        1 - static_cast<double>(prediction.wall_ns) / static_cast<double>(sum);
  }
  return prediction;
}

Changed changed_by(const std::vector<FixRequest>& requests) {
  Changed changed;
  for (const FixRequest& request : requests) {
    if (!request.fix) {
      changed.special = "a faster engine";
      continue;
    }
    changed.fixes.push_back(request.fix->cause);
    if (request.value > 0) changed.special = "a fix with a number";
    if (!request.site.empty()) changed.special = "a fix at one call site";
  }
  return changed;
}

}  // namespace lapscope::analyzer
