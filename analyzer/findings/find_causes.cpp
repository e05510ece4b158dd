#include "analyzer/findings/find_causes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analyzer/findings/blame.h"
#include "analyzer/findings/fix_at_place.h"
#include "analyzer/findings/held_tasks.h"
#include "analyzer/findings/look_ahead.h"
#include "analyzer/findings/looked_for.h"
#include "analyzer/findings/predict.h"
#include "analyzer/findings/sentences.h"
#include "analyzer/fixes/tiles.h"
#include "analyzer/graph/sharing.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/replay/blind.h"

namespace lapscope::analyzer {
namespace {

// The engine that worked most of the window, and its share of it.
void find_bound(const Graph& graph, const GraphScope& scope, CausesResult& result) {
  std::vector<Interval> intervals;
  for (const std::uint32_t t : scope.tasks) {
    const Task& task = graph.tasks[t];
    const std::int64_t start = std::max(task.start, scope.window.start);
    intervals.push_back({start, std::max(start, std::min(task.end, scope.window.end))});
  }
  const BusiestEngine most = busiest_engine(graph, scope, intervals, scope.window.length());
  if (most.share == 0) return;
  result.bound_by = name_of(most.engine);
  result.bound_share = most.share;
}

// What is known of each scope without changing anything.
std::vector<CausesResult> as_recorded(const Sources& sources, const std::vector<GraphScope>& scopes,
                                      const CauseOptions& options) {
  const Graph& graph = sources.graph;
  std::vector<CausesResult> results(scopes.size());
  const Replayed unchanged = replay(graph);
  const Replayed unseen = replay(blind(sources.trace, graph));
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

bool is_worth_a_finding(std::int64_t saving_ns, std::int64_t wall_ns, const CauseOptions& options) {
  return saving_ns >= options.least_saving_ns &&
         static_cast<double>(saving_ns) >= options.least_saving * static_cast<double>(wall_ns);
}

// Replays of a graph with one fix at one place alone. Each is made once, for all scopes.
class SiteReplays {
 public:
  SiteReplays(const Sources& sources, FixRequest request, const std::vector<GraphScope>& scopes)
      : sources_(sources), request_(std::move(request)), scopes_(scopes) {}

  // The wall time of a scope; absent when the fix changes nothing there.
  std::optional<std::int64_t> wall(const CallSite& site, std::size_t scope, Sharing end) {
    const auto [known, is_new] = walls_.try_emplace({site.what, site.range, end});
    if (is_new) known->second = walls_with(site, end);
    if (known->second.empty()) return std::nullopt;
    return known->second[scope];
  }

 private:
  std::vector<std::int64_t> walls_with(const CallSite& site, Sharing end) const {
    // What the fix is kept out of stays as it is at the same end.
    Graph base = sources_.graph;
    assume(end, base);
    const Sources at_end{sources_.trace, sources_.host, base};
    Graph changed = with_fixes(at_end, {request_}, end);
    const auto is_site = [&site](const CodePlace& place) {
      return place.what == site.what && place.range == site.range;
    };
    if (!keep_at(at_end, request_.fix->cause, is_site, changed)) return {};
    const Replayed replayed = replay(changed);
    std::vector<std::int64_t> walls;
    for (const GraphScope& scope : scopes_) walls.push_back(wall_of(scope, replayed));
    return walls;
  }

  const Sources& sources_;
  FixRequest request_;
  const std::vector<GraphScope>& scopes_;
  std::map<std::tuple<std::string, std::string, Sharing>, std::vector<std::int64_t>> walls_;
};

// What the fix would save at each of the places alone, and the places in that order. A place whose
// ops waited for less than a finding must save is not worth a replay.
void weigh_sites(SiteReplays& replays, std::size_t scope, std::int64_t wall,
                 const CauseOptions& options, FindingResult& finding) {
  std::vector<CallSite>& sites = finding.sites;
  const bool other_end = finding.if_apart || finding.if_shared;
  if (sites.size() == 1) {
    sites.front().saving_ns = other_end ? finding.most_saving_ns : finding.saving_ns;
    return;
  }
  const bool is_longer_at_most = finding.predicted.longer == Sharing::most;
  const Sharing end = other_end == is_longer_at_most ? Sharing::least : Sharing::most;
  for (CallSite& site : sites) {
    if (!is_worth_a_finding(site.waited_ns, wall, options)) continue;
    if (const auto without = replays.wall(site, scope, end)) site.saving_ns = wall - *without;
  }
  std::stable_sort(sites.begin(), sites.end(), [](const CallSite& a, const CallSite& b) {
    return a.saving_ns.value_or(never) > b.saving_ns.value_or(never);
  });
}

// What a fix would do for one scope; nothing when that is not worth a finding, whatever kernels
// share.
std::optional<FindingResult> finding_of(const Sources& sources, const GraphScope& scope,
                                        const CausesResult& result, const Fix& fix,
                                        const Held& held, const PredictedRun& changed,
                                        const CauseOptions& options) {
  const std::int64_t wall = result.replay.wall_ns;
  FindingResult finding;
  finding.predicted = predict(sources.graph, scope, changed);
  finding.predicted.changed.fixes = {fix.cause};
  finding.saving_ns = wall - finding.predicted.wall_ns;
  const std::int64_t recorded = scope.window.length();
  finding.saving_share = static_cast<double>(finding.saving_ns) / static_cast<double>(recorded);
  finding.most_saving_ns = wall - finding.predicted.least_wall_ns;
  // Less than what the replay of the unchanged run is off by is nothing that it could tell.
  const auto is_worth = [&](std::int64_t saving_ns) {
    return is_worth_a_finding(saving_ns, wall, options) && saving_ns >= std::abs(wall - recorded);
  };
  if (!is_worth(finding.most_saving_ns)) return std::nullopt;
  const bool is_asked = !is_worth(finding.saving_ns);
  finding.if_apart = is_asked && finding.predicted.longer == Sharing::most;
  finding.if_shared = is_asked && finding.predicted.longer == Sharing::least;
  finding.code = code_of(fix.cause);
  finding.occurrences = static_cast<std::int64_t>(held.tasks.size());
  finding.waited_ns = held_time(held);
  finding.sites = places_of(sources, fix.cause, held);
  if (finding.sites.size() > options.sites_listed) finding.sites.resize(options.sites_listed);
  finding.evidence = evidence_of(sources, fix.cause, held, options.evidence_listed);
  finding.predicted.needs_judgement = fix.needs_judgement;
  return finding;
}

// Says whose doing it is, once the places are in order.
void put_in_words(Cause cause, const Situation& situation, FindingResult& finding) {
  finding.what = finding.sites.front().what;
  const Sentences sentences = sentences_of(cause, finding.sites, situation);
  finding.explanation = sentences.explanation;
  finding.fix = sentences.fix;
  finding.predicted.caveat = sentences.caveat;
}

void note_assumed(const PredictedRun& run, CausesResult& result) {
  result.assumed.insert(run.most.stand_ins.begin(), run.most.stand_ins.end());
}

// That a fix, after which the wall time is `alone`, needs another one.
std::string only_with(const Fix& then, std::int64_t wall, std::int64_t alone) {
  const double saving = static_cast<double>(wall - alone) / static_cast<double>(wall);
  const auto percent = std::max<std::int64_t>(0, std::llround(saving * 100));
  return " That alone saves " + std::to_string(percent) + " %; then also " +
         std::string(code_of(then.cause)) + ": " + std::string(then.change) + ".";
}

// Nothing saves more than a little. `most`: what a fix alone saves, worth a finding or not.
bool saves_little(std::int64_t most, const CausesResult& result) {
  return static_cast<double>(most) <
         assumed::little_alone * static_cast<double>(result.replay.wall_ns);
}

// Where no fix is worth much by itself, two may be: the first one's finding then tells both. Of
// questions likewise, where there is none of a single fix.
void add_what_two_fixes_bring(const Sources& sources, const std::vector<GraphScope>& scopes,
                              const Recurring& recurring, const CauseOptions& options,
                              const std::vector<std::int64_t>& most_alone, const Tiles& tiles,
                              std::vector<FindingResult> CausesResult::*list,
                              std::vector<CausesResult>& results) {
  const bool only_shown = list == &CausesResult::findings;
  std::vector<std::size_t> asked;
  std::vector<const GraphScope*> left;
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    if (!saves_little(most_alone[i], results[i])) continue;
    if (!only_shown && !results[i].questions.empty()) continue;
    asked.push_back(i);
    left.push_back(&scopes[i]);
  }
  if (left.empty()) return;
  const Tiles* shown = only_shown ? &tiles : nullptr;
  const std::vector<FixPair> tried = look_ahead(sources.trace, sources.graph, left, shown);
  if (tried.empty()) return;
  for (std::size_t own = 0; own < asked.size(); ++own) {
    const GraphScope& scope = *left[own];
    CausesResult& result = results[asked[own]];
    const FixPair& best =
        *std::min_element(tried.begin(), tried.end(), [&](const FixPair& a, const FixPair& b) {
          return wall_of(scope, a.most) < wall_of(scope, b.most);
        });
    const Cause cause = best.first->cause;
    const Held held = held_by(sources.trace, sources.graph, scope, cause, recurring);
    if (held.tasks.empty()) continue;
    const PredictedRun run = replay_pair(sources.trace, sources.graph, best, shown);
    auto finding = finding_of(sources, scope, result, *best.first, held, run, options);
    if (!finding || finding->if_apart || finding->if_shared ||
        finding->saving_ns < assumed::more_together * most_alone[asked[own]])
      continue;
    put_in_words(cause, situation_of(sources, scope, cause, held, tiles, result), *finding);
    finding->then_also = code_of(best.then->cause);
    finding->fix += only_with(*best.then, result.replay.wall_ns, best.walls_of_first[own]);
    finding->predicted.needs_judgement |= best.then->needs_judgement;
    finding->predicted.changed.fixes.push_back(best.then->cause);
    finding->if_independent = !only_shown;
    std::erase_if(result.*list,
                  [&](const FindingResult& one) { return one.code == finding->code; });
    (result.*list).push_back(std::move(*finding));
    note_assumed(run, result);
  }
}

// Judges fixes one by one, for all scopes at once.
class Judge {
 public:
  Judge(const Sources& sources, const std::vector<GraphScope>& scopes, const Recurring& recurring,
        const Tiles& tiles, const CauseOptions& options, std::vector<CausesResult>& results)
      : sources_(sources),
        scopes_(scopes),
        recurring_(recurring),
        tiles_(tiles),
        options_(options),
        results_(results),
        most_alone_(scopes.size()) {}

  // A fix that needs ops not to depend on each other makes a finding of what the trace shows to be
  // so. Where that is nothing, what it would save otherwise is a question.
  void judge(const Fix& fix) {
    held_.clear();
    for (std::size_t i = 0; i < scopes_.size(); ++i) {
      if (results_[i].replay.wall_ns == 0) continue;
      Held held = held_by(sources_.trace, sources_.graph, scopes_[i], fix.cause, recurring_);
      if (!held.tasks.empty()) held_.emplace(i, std::move(held));
    }
    if (held_.empty()) return;
    if (!fix.apply_shown) {
      judge({&fix}, run_with({&fix}), &CausesResult::findings);
      return;
    }
    FixRequest request{&fix};
    request.shown = &tiles_;
    Graph shown = sources_.graph;
    const bool is_any_shown = fix.apply_shown(sources_.trace, tiles_, shown);
    shown = {};
    if (is_any_shown) judge(request, run_with(request), &CausesResult::findings);
    if (!held_.empty()) judge({&fix}, run_with({&fix}), &CausesResult::questions);
  }

  // What one fix saves of each scope, worth a finding or not.
  const std::vector<std::int64_t>& most_alone() const { return most_alone_; }

 private:
  using List = std::vector<FindingResult> CausesResult::*;

  PredictedRun run_with(const FixRequest& request) const {
    return replay_both(sources_.graph,
                       [&](Sharing end) { return with_fixes(sources_, {request}, end); });
  }

  // A finding that there is at one end of what kernels share alone is a question.
  void judge(const FixRequest& request, const PredictedRun& changed, List list) {
    struct Found {
      std::size_t scope;
      List list;
      Situation situation;
    };
    std::vector<Found> found;
    for (auto& [i, held] : held_) {
      CausesResult& result = results_[i];
      if (list == &CausesResult::findings) {
        const std::int64_t saving =
            result.replay.wall_ns - wall_of(scopes_[i], longer_end(scopes_[i], changed));
        most_alone_[i] = std::max(most_alone_[i], saving);
      }
      auto finding =
          finding_of(sources_, scopes_[i], result, *request.fix, held, changed, options_);
      if (!finding) continue;
      finding->if_independent = list == &CausesResult::questions;
      const List own = finding->if_apart || finding->if_shared ? &CausesResult::questions : list;
      (result.*own).push_back(std::move(*finding));
      note_assumed(changed, result);
      found.push_back(
          {i, own,
           situation_of(sources_, scopes_[i], request.fix->cause, held, tiles_, results_[i])});
    }
    SiteReplays replays(sources_, request, scopes_);
    for (const Found& one : found) {
      CausesResult& result = results_[one.scope];
      FindingResult& finding = (result.*one.list).back();
      weigh_sites(replays, one.scope, result.replay.wall_ns, options_, finding);
      put_in_words(request.fix->cause, one.situation, finding);
      held_.erase(one.scope);
    }
  }

  const Sources& sources_;
  const std::vector<GraphScope>& scopes_;
  const Recurring& recurring_;
  const Tiles& tiles_;
  const CauseOptions& options_;
  std::vector<CausesResult>& results_;
  std::vector<std::int64_t> most_alone_;
  std::map<std::size_t, Held> held_;  // by scope, of those with no finding of the fix
};

void sort_by(std::int64_t FindingResult::*saving, std::vector<FindingResult>& findings) {
  std::stable_sort(
      findings.begin(), findings.end(),
      [saving](const FindingResult& a, const FindingResult& b) { return a.*saving > b.*saving; });
}

}  // namespace

std::vector<CausesResult> find_causes(const Sources& sources, const std::vector<GraphScope>& scopes,
                                      const CauseOptions& options) {
  std::vector<CausesResult> results = as_recorded(sources, scopes, options);
  const Recurring recurring(sources.trace, sources.graph);
  const Tiles tiles(sources.trace);
  Judge judge(sources, scopes, recurring, tiles, options, results);
  for (const Fix* fix : fixes()) {
    if (options.progress) ++options.progress->done;
    if (fix->is_plausible && !fix->is_plausible(sources.trace, sources.graph)) continue;
    if (!fix->lacks(sources.trace, sources.graph).empty()) continue;
    judge.judge(*fix);
  }
  for (auto list : {&CausesResult::findings, &CausesResult::questions}) {
    add_what_two_fixes_bring(sources, scopes, recurring, options, judge.most_alone(), tiles, list,
                             results);
  }
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    CausesResult& result = results[i];
    sort_by(&FindingResult::saving_ns, result.findings);
    // What two fixes bring together may be the finding of a cause that was a question.
    std::erase_if(result.questions, [&result](const FindingResult& question) {
      return std::any_of(
          result.findings.begin(), result.findings.end(),
          [&question](const FindingResult& finding) { return finding.code == question.code; });
    });
    sort_by(&FindingResult::most_saving_ns, result.questions);
    result.looked_for = looked_for(sources.trace, result, scopes[i].window.length());
    for (auto* list : {&result.findings, &result.questions}) {
      for (FindingResult& one : *list) one.rests_on = rests_on(*cause_of_code(one.code));
    }
    result.advice = advice_for(sources, scopes[i], result);
  }
  return results;
}

}  // namespace lapscope::analyzer
