#include "analyzer/findings/find_causes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/findings/advice/advice_for.h"
#include "analyzer/findings/error_band.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/judge_fixes.h"
#include "analyzer/findings/looked_for.h"
#include "analyzer/findings/predict.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/independence/independence.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/evidence.h"
#include "analyzer/model/parallel.h"
#include "analyzer/model/rules.h"
#include "analyzer/replay/blind.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {
namespace {

struct FixPair {
  const Fix* first = nullptr;
  const Fix* then = nullptr;  // for a cause that delays tasks after the first fix
  // The predicted wall time of each scope after both fixes, at Sharing::most.
  std::vector<Ns> walls;
  std::vector<FixRequest> requests = {};  // both
};

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

std::int64_t most_steps_ahead() { return steps_of_first * static_cast<std::int64_t>(fixes_tried); }

// Tries pairs of fixes for scopes in which no single fix saves enough. Takes at most six replays:
// - First fixes: the two fixes whose causes delayed the scopes' tasks longest.
// - Second fixes: for each first fix, the two fixes whose causes delay the tasks longest in the run
//   with this first fix.
//
// With `independence`, fixes are made only where the data allow them. Without `independence`, fixes
// are made everywhere. In this case, a pair is tried only if it has a fix that requires independent
// ops (Fix::where_independent). `progress` may be null. Otherwise, Progress::expected must include
// most_steps_ahead().
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

// Sets bound_by and bound_share: the engine that is busy longest in the window, and its busy time
// as a part of the window.
void find_bound(const Graph& graph, const GraphScope& scope, CausesResult& result) {
  std::array<std::vector<Interval>, all_engines.size()> busy;
  for (const std::uint32_t t : scope.tasks) {
    const auto engine = static_cast<std::size_t>(graph.tasks[t].works_on());
    busy[engine].push_back(graph.times.tasks[t].within(scope.window));
  }
  for (const Engine engine : all_engines) {
    const auto set = IntervalSet::union_of(std::move(busy[static_cast<std::size_t>(engine)]));
    const Share share = portion(set.length(), scope.window.length());
    if (share <= result.bound_share) continue;
    result.bound_by = name_of(engine);
    result.bound_share = share;
  }
}

// Numbers of progress steps. Each step takes about as long as a step of judge_fixes().
constexpr std::int64_t steps_of_recorded = 4;
constexpr std::int64_t steps_of_pair = 6;

// Returns, for each scope, the results that need no fix: blame, critical path, replay and bound.
std::vector<CausesResult> as_recorded(const Sources& sources, const std::vector<GraphScope>& scopes,
                                      const CauseOptions& options) {
  const Graph& graph = sources.graph;
  std::vector<CausesResult> results(scopes.size());
  Replayed unchanged;
  Replayed unseen;
  in_parallel(2, replays_at_once, [&](std::size_t i) {
    const bool is_blind = i == 1 && rule::blind_replay;
    (i == 0 ? unchanged : unseen) = replay_tasks(is_blind ? blind(sources.trace, graph) : graph);
  });
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    const GraphScope& scope = scopes[i];
    CausesResult& result = results[i];
    describe_path(sources, scope, options.path_listed, result);
    result.replay = replay_result(scope, unchanged, unseen);
    result.assumed = unchanged.stand_ins;
    find_bound(graph, scope, result);
  }
  return results;
}

// Whether even the best single fix, which saves `most`, saves only a little.
bool saves_little(Ns most, const CausesResult& result) {
  return static_cast<double>(most) <
         assumed::hardly_any * static_cast<double>(result.replay.wall_ns);
}

// Tries pairs of fixes in the scopes in which no single fix saves much. If the best pair of a scope
// saves enough, adds a finding that names both fixes. `list` is the member that gets the finding:
// CausesResult::findings or CausesResult::questions. A scope with a question gets no further
// question.
void add_what_two_fixes_bring(const Predictor& predictor, const std::vector<GraphScope>& scopes,
                              const BlockingTimes& blocking_times, const CauseOptions& options,
                              const std::vector<Ns>& most_alone, const Independence& independence,
                              std::vector<FindingResult> CausesResult::*list,
                              std::vector<CausesResult>& results) {
  if (!rule::pairs_of_fixes) return;
  const Sources sources = predictor.at(Sharing::least);
  const bool only_independent = list == &CausesResult::findings;
  std::vector<std::size_t> open_scopes;
  std::vector<const GraphScope*> left;
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    if (!saves_little(most_alone[i], results[i])) continue;
    if (!only_independent && !results[i].questions.empty()) continue;
    open_scopes.push_back(i);
    left.push_back(&scopes[i]);
  }
  // The expected progress (steps_of_causes()) includes the pairs for findings. It does not include
  // the pairs for questions, which are rarely tried.
  if (left.empty()) {
    if (only_independent) skip_steps(options.progress, most_steps_ahead());
    return;
  }
  if (!only_independent) skip_steps(options.progress, -most_steps_ahead());
  const Independence* required = only_independent ? &independence : nullptr;
  const std::vector<FixPair> tried = look_ahead(predictor, left, required, options.progress);
  if (tried.empty()) return;
  for (std::size_t own = 0; own < open_scopes.size(); ++own) {
    const GraphScope& scope = *left[own];
    CausesResult& result = results[open_scopes[own]];
    const FixPair& best = *std::ranges::min_element(
        tried, [&](const FixPair& a, const FixPair& b) { return a.walls[own] < b.walls[own]; });
    const auto is_enough = [&](const std::optional<FindingResult>& finding) {
      return finding && !finding->if_apart && !finding->if_shared &&
             finding->saving_share >= assumed::large_part;
    };
    // Skips pairs that save too little, without the replay below. `at_most` has the wall time at
    // Sharing::most. A finding uses the longer of two wall times: at Sharing::most and at
    // Sharing::least. So the finding saves no more than `at_most` shows.
    Prediction at_most;
    at_most.wall_ns = at_most.least_wall_ns = best.walls[own];
    if (!is_enough(finding_of(scope, result, *best.first, at_most, options))) continue;
    const Cause cause = best.first->cause;
    const BlockedTasks blocked =
        blocking_times.blocked_here_or_elsewhere(cause, scope.tasks, scope.window);
    if (blocked.tasks.empty()) continue;
    skip_steps(options.progress, -steps_of_pair);
    const PredictedRun run = predictor.run(best.requests, Predictor::Output::tasks);
    advance(options.progress, steps_of_pair);
    auto finding =
        finding_of(scope, result, *best.first, predict(sources.graph, scope, run), options);
    if (!is_enough(finding)) continue;
    add_sites_and_evidence(sources, blocked, options, *finding);
    conclude(situation_of(sources, scope, cause, blocked, independence, result), *finding);
    finding->then_also = code_of(best.then->cause);
    finding->predicted.needs_judgement |= best.then->needs_judgement;
    finding->predicted.changed.fixes.push_back(best.then->cause);
    finding->if_independent = !only_independent;
    std::erase_if(result.*list,
                  [&](const FindingResult& one) { return one.code == finding->code; });
    (result.*list).push_back(std::move(*finding));
    result.assumed.insert(run.most.stand_ins.begin(), run.most.stand_ins.end());
  }
}

ScopeTime time_of(const Sources& sources, const GraphScope& scope) {
  ScopeTime time{scope.window.length()};
  std::vector<Interval> ran;
  for (const std::uint32_t t : scope.tasks) {
    const Interval& task = sources.graph.times.tasks[t];
    ran.push_back(task);
    const bool copies = sources.graph.tasks[t].engine != Engine::compute;
    if (copies) time.copies += task.length();
  }
  if (!has_one_stream(sources.trace.facts)) return time;
  const IntervalSet window = IntervalSet::union_of({scope.window});
  time.idle = time.wall - intersect(IntervalSet::union_of(std::move(ran)), window).length();
  return time;
}

void sort_by(Ns FindingResult::*saving, std::vector<FindingResult>& findings) {
  std::ranges::stable_sort(findings, [saving](const FindingResult& a, const FindingResult& b) {
    return a.*saving > b.*saving;
  });
}

}  // namespace

void describe_path(const Sources& sources, const GraphScope& scope, std::size_t most,
                   CausesResult& result) {
  const std::vector<Part> path = critical_path(sources, scope.tasks, scope.window);
  result.blame = blame_of(path, scope.device);
  result.unexplained_share = unexplained_share(result.blame, scope.window.length());
  result.critical_path = stretches_of(sources, path, scope.device, most);
}

std::int64_t steps_of_causes() {
  return steps_of_recorded + usual_steps_of_fixes() + most_steps_ahead();
}

std::vector<CausesResult> find_causes(const Sources& sources, const std::vector<GraphScope>& scopes,
                                      const CauseOptions& options) {
  std::vector<CausesResult> results = as_recorded(sources, scopes, options);
  advance(options.progress, steps_of_recorded);
  const Recurring recurring(sources.trace, sources.graph);
  const BlockingTimes blocking_times(sources, recurring);
  const Independence independence(sources.trace);
  const Predictor predictor(sources);
  const std::vector<Ns> most_alone =
      judge_fixes(predictor, scopes, blocking_times, independence, options, results);
  for (auto list : {&CausesResult::findings, &CausesResult::questions}) {
    add_what_two_fixes_bring(predictor, scopes, blocking_times, options, most_alone, independence,
                             list, results);
  }
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    CausesResult& result = results[i];
    sort_by(&FindingResult::saving_ns, result.findings);
    for (auto* list : {&result.questions, &result.small_savings}) {
      std::erase_if(*list, [&result](const FindingResult& one) {
        return std::ranges::any_of(result.findings, [&one](const FindingResult& finding) {
          return finding.code == one.code;
        });
      });
    }
    sort_by(&FindingResult::most_saving_ns, result.questions);
    sort_by(&FindingResult::saving_ns, result.small_savings);
    result.looked_for = looked_for(sources.trace, result, time_of(sources, scopes[i]));
    for (auto* list : {&result.findings, &result.questions, &result.small_savings}) {
      for (FindingResult& one : *list) one.rests_on = rests_on(*cause_of_code(one.code));
    }
    result.advice = advice_for(sources, scopes[i], result);
    judge_validity(sources.trace.devices[scopes[i].device].name, result);
  }
  return results;
}

}  // namespace lapscope::analyzer
