#include "analyzer/findings/look_ahead.h"

#include <algorithm>

#include "analyzer/findings/held_tasks.h"
#include "analyzer/graph/sharing.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {
namespace {

// The order that launches in a graph get from a fix is the one that they had: it is not to be fixed
// away next.
bool undoes(const Fix& done, const Fix& next) {
  return done.cause == Cause::launch_overhead && next.cause == Cause::graph_edge;
}

// By how much a cause held the tasks of the scopes up, all together.
std::int64_t held_ns(const Trace& trace, const Graph& graph,
                     const std::vector<const GraphScope*>& scopes, Cause cause,
                     const Recurring& recurring) {
  std::int64_t ns = 0;
  for (const GraphScope* scope : scopes) {
    const Held held = held_by(trace, graph, *scope, cause, recurring);
    for (const HeldTask& one : held.tasks) ns += one.ns;
    if (cause != Cause::sm_saturated || graph.crowded.empty()) continue;
    // Kernels that started at once, but with some of their blocks only, took longer by that.
    for (const std::uint32_t t : scope->tasks) {
      const Task& task = graph.tasks[t];
      if (task.geometry == no_index || task.rank != no_index) continue;
      ns += std::max<std::int64_t>(0, task.end - task.start - task.lasted);
    }
  }
  return ns;
}

std::vector<const Fix*> worth_trying(const Trace& trace, const Graph& graph,
                                     const std::vector<const GraphScope*>& scopes,
                                     const Fix* done) {
  const Recurring recurring(trace, graph);
  std::vector<std::pair<std::int64_t, const Fix*>> held;
  for (const Fix* fix : fixes()) {
    if (fix == done || (done && undoes(*done, *fix)) ||
        (fix->is_plausible && !fix->is_plausible(trace, graph)) ||
        !fix->lacks(trace, graph).empty()) {
      continue;
    }
    const std::int64_t ns = held_ns(trace, graph, scopes, fix->cause, recurring);
    if (ns > 0) held.emplace_back(ns, fix);
  }
  std::stable_sort(held.begin(), held.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const Fix*> result;
  for (const auto& [ns, fix] : held) {
    if (result.size() < assumed::pairs_tried) result.push_back(fix);
  }
  return result;
}

// Returns whether it was made anywhere.
bool make(const Fix& fix, const Trace& trace, const Tiles* shown, Graph& graph) {
  if (shown && fix.apply_shown) return fix.apply_shown(trace, *shown, graph);
  fix.apply(trace, 0, graph);
  return true;
}

}  // namespace

std::vector<FixPair> look_ahead(const Trace& trace, const Graph& graph,
                                const std::vector<const GraphScope*>& scopes, const Tiles* shown) {
  std::vector<FixPair> tried;
  for (const Fix* first : worth_trying(trace, graph, scopes, nullptr)) {
    Graph changed = graph;
    assume(Sharing::most, changed);
    if (!make(*first, trace, shown, changed)) continue;
    const Replayed alone = replay(changed);
    std::vector<std::int64_t> walls;
    for (const GraphScope* scope : scopes) walls.push_back(wall_of(*scope, alone));
    const Graph after = rebased(std::move(changed), alone);
    for (const Fix* then : worth_trying(trace, after, scopes, first)) {
      if (!shown && !first->apply_shown && !then->apply_shown) continue;
      Graph both = after;
      if (!make(*then, trace, shown, both)) continue;
      tried.push_back({first, then, replay(both), walls});
    }
  }
  return tried;
}

PredictedRun replay_pair(const Trace& trace, const Graph& graph, const FixPair& pair,
                         const Tiles* shown) {
  PredictedRun run{pair.most, std::nullopt};
  if (!run.is_in_doubt(graph)) return run;
  Graph changed = graph;
  make(*pair.first, trace, shown, changed);
  const Replayed alone = replay(changed);
  changed = rebased(std::move(changed), alone);
  make(*pair.then, trace, shown, changed);
  run.least = replay(changed);
  return run;
}

}  // namespace lapscope::analyzer
