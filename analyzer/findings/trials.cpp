#include "analyzer/findings/trials.h"

#include "analyzer/findings/fix_at_place.h"
#include "analyzer/graph/sharing.h"

namespace lapscope::analyzer {

Trials::Trials(const Sources& sources, const std::vector<GraphScope>& scopes)
    : sources_(sources), scopes_(scopes), most_(sources.graph) {
  assume(Sharing::most, most_);
}

Sources Trials::at(Sharing end) const {
  return {sources_.trace, sources_.host, end == Sharing::most ? most_ : sources_.graph};
}

std::optional<Outcome> Trials::outcome_of(const FixRequest& request) const {
  Graph graph = most_;
  if (!make(request, sources_.trace, graph)) return std::nullopt;
  PredictedRun run{replay_tasks(graph), std::nullopt};
  if (run.is_in_doubt(sources_.graph)) {
    graph = sources_.graph;
    make(request, sources_.trace, graph);
    run.least = replay_tasks(graph);
  }
  graph = {};
  Outcome outcome;
  for (const GraphScope& scope : scopes_) {
    outcome.predicted.push_back(predict(sources_.graph, scope, run));
  }
  outcome.stand_ins = std::move(run.most.stand_ins);
  return outcome;
}

Graph Trials::changed(const FixRequest& request, Sharing end) const {
  Graph graph = at(end).graph;
  make(request, sources_.trace, graph);
  return graph;
}

std::vector<std::int64_t> Trials::walls_at(const CodePlace& place, Cause cause,
                                           const Graph& changed, Sharing end) const {
  Graph graph = changed;
  const auto is_place = [&place](const CodePlace& other) { return place == other; };
  // What the fix is kept out of stays as it is at the same end.
  if (!keep_at(at(end), cause, is_place, graph)) return {};
  const Replayed replayed = replay_tasks(graph);
  std::vector<std::int64_t> walls;
  for (const GraphScope& scope : scopes_) walls.push_back(wall_of(scope, replayed));
  return walls;
}

}  // namespace lapscope::analyzer
