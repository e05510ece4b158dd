#include "analyzer/findings/look_ahead.h"

#include <algorithm>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/parallel.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {
namespace {

// The number of fixes that are tried first, and the number of fixes that are tried after each of
// them. Each pair of fixes costs a replay.
constexpr std::size_t fixes_tried = 2;

// Launches in a CUDA graph keep their order. After a fix that makes a graph, a fix for graph-edge
// must not remove this order.
bool undoes(const Fix& done, const Fix& next) {
  return done.cause == Cause::launch_overhead && next.cause == Cause::graph_edge;
}

// Returns how long each cause delayed the tasks of all scopes together, in ns.
TimeByCause times_by_cause(const Sources& sources, const std::vector<const GraphScope*>& scopes) {
  const Graph& graph = sources.graph;
  const Recurring recurring(sources.trace, graph);
  const BlockingTimes blocking_times(sources, recurring);
  TimeByCause all{};
  for (const GraphScope* scope : scopes) {
    const TimeByCause times = blocking_times.time_by_cause(scope->tasks, scope->window);
    for (std::size_t cause = 0; cause < cause_count; ++cause) all[cause] += times[cause];
    if (graph.crowded.empty()) continue;
    // A kernel takes longer if only some of its blocks have room when it starts. The additional
    // time is also a delay by sm-saturated.
    for (const std::uint32_t t : scope->tasks) {
      const Task& task = graph.tasks[t];
      if (task.geometry == no_index || task.rank != no_index) continue;
      all[static_cast<std::size_t>(Cause::sm_saturated)] +=
          std::max<Ns>(0, graph.times.tasks[t].length() - graph.lengths[t].all_resident);
    }
  }
  return all;
}

std::vector<const Fix*> worth_trying(const Sources& sources,
                                     const std::vector<const GraphScope*>& scopes,
                                     const Fix* done) {
  const TimeByCause times = times_by_cause(sources, scopes);
  std::vector<std::pair<Ns, const Fix*>> blocked;
  for (const Fix* fix : fixes()) {
    if (fix == done || (done && undoes(*done, *fix)) ||
        (fix->is_plausible && !fix->is_plausible(sources.trace, sources.graph)) ||
        fix->lacks(sources.trace, sources.graph)) {
      continue;
    }
    const Ns ns = times[static_cast<std::size_t>(fix->cause)];
    if (ns > 0) blocked.emplace_back(ns, fix);
  }
  std::ranges::stable_sort(blocked, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const Fix*> result;
  for (const auto& [ns, fix] : blocked) {
    if (result.size() < fixes_tried) result.push_back(fix);
  }
  return result;
}

constexpr std::int64_t steps_of_first = 3;  // for a first fix and the second fixes after it

FixRequest request_of(const Fix& fix, const Independence* independence) {
  FixRequest request{&fix};
  request.independence = independence;
  return request;
}

std::vector<Ns> walls_of(const std::vector<const GraphScope*>& scopes, const Replayed& replayed) {
  std::vector<Ns> walls;
  for (const GraphScope* scope : scopes) walls.push_back(wall_of(*scope, replayed));
  return walls;
}

}  // namespace

std::int64_t most_steps_ahead() { return steps_of_first * static_cast<std::int64_t>(fixes_tried); }

std::vector<FixPair> look_ahead(const Predictor& predictor,
                                const std::vector<const GraphScope*>& scopes,
                                const Independence* independence, Progress* progress) {
  std::vector<FixPair> tried;
  const Sources recorded = predictor.at(Sharing::least);
  const std::vector<const Fix*> firsts = worth_trying(recorded, scopes, nullptr);
  skip_steps(progress,
             most_steps_ahead() - steps_of_first * static_cast<std::int64_t>(firsts.size()));
  for (const Fix* first : firsts) {
    const FixRequest request = request_of(*first, independence);
    const auto edits = edits_of(request, predictor.at(Sharing::most));
    if (!edits) {
      skip_steps(progress, steps_of_first);
      continue;
    }
    Graph after = edited(*edits);
    const Replayed alone = replay(after);
    after = rebased(std::move(after), alone);
    std::vector<FixPair> pairs;
    const Sources program{recorded.trace, recorded.host, after};
    for (const Fix* then : worth_trying(program, scopes, first)) {
      if (!independence && !first->where_independent && !then->where_independent) continue;
      pairs.push_back({first, then, {}, {request, request_of(*then, independence)}});
    }
    in_parallel(pairs.size(), replays_at_once, [&](std::size_t i) {
      const auto more = edits_of(pairs[i].requests.back(), program);
      if (more) pairs[i].walls = walls_of(scopes, replay_tasks(edited(*more)));
    });
    for (FixPair& pair : pairs) {
      if (!pair.walls.empty()) tried.push_back(std::move(pair));
    }
    advance(progress, steps_of_first);
  }
  return tried;
}

}  // namespace lapscope::analyzer
