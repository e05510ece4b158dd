#include "analyzer/findings/judge_fixes.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/findings/edits_at.h"
#include "analyzer/findings/finding.h"
#include "analyzer/model/parallel.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {
namespace {

using List = std::vector<FindingResult> CausesResult::*;

struct Found {
  std::size_t scope = 0;
  List list = nullptr;
  FindingResult finding;
  Situation situation;
};

struct Outcome {
  std::vector<Prediction> predicted;     // by scope
  std::set<std::string_view> stand_ins;  // assumptions that its replay used
};

// A fix to try. It is made everywhere, or only where the data allow it.
struct FixCandidate {
  FixRequest request;
  List list = nullptr;
  std::vector<std::size_t> open = {};  // scopes without a finding yet
  std::optional<Outcome> outcome = std::nullopt;
  std::vector<Found> found = {};
};

// Predicts, for each site of a finding, the saving if the fix is made only there.
class Weighing {
 public:
  Weighing(const Predictor& predictor, const std::vector<GraphScope>& scopes,
           const CauseOptions& options, const std::vector<CausesResult>& results)
      : predictor_(predictor), scopes_(scopes), options_(options), results_(results) {}

  // Sets the saving of each site in the findings of a candidate, and sorts the sites by saving.
  // Skips a site if its ops waited for less time than the least saving of a finding.
  void weigh(FixCandidate& candidate) {
    walls_.clear();
    for (const Found& one : candidate.found) ask(one);
    for (const Sharing end : {Sharing::most, Sharing::least}) replay_at(end, candidate.request);
    for (Found& one : candidate.found) settle(one);
  }

 private:
  using Key = std::tuple<CodePlace, Sharing>;
  static Key key_of(const CallSite& site, Sharing end) {
    return {{site.what, site.range, site.line, site.caller, !site.forward_stack.empty()}, end};
  }

  // Returns the Sharing for replays of single sites. For most findings, returns the Sharing with
  // the longer predicted wall time. A question with if_apart or if_shared saves too little at this
  // Sharing. For such a question, returns the other Sharing.
  static Sharing end_of(const FindingResult& finding) {
    const bool is_other = finding.if_apart || finding.if_shared;
    const bool is_longer_at_most = finding.predicted.longer == Sharing::most;
    return is_other == is_longer_at_most ? Sharing::least : Sharing::most;
  }

  bool is_weighed(const Found& one, const CallSite& site) const {
    const Ns wall = results_[one.scope].replay.wall_ns;
    return one.finding.sites.size() > 1 && is_worth_a_finding(site.waited_ns, wall, options_);
  }

  void ask(const Found& one) {
    for (const CallSite& site : one.finding.sites) {
      if (is_weighed(one, site)) walls_[key_of(site, end_of(one.finding))];
    }
  }

  void replay_at(Sharing end, const FixRequest& request) {
    std::vector<std::pair<const Key, std::vector<Ns>>*> sites;
    for (auto& one : walls_) {
      if (std::get<Sharing>(one.first) == end) sites.push_back(&one);
    }
    if (sites.empty()) return;
    const Sources program = predictor_.at(end);
    const auto edits = edits_of(request, program);
    if (!edits) return;
    in_parallel(sites.size(), replays_at_once, [&](std::size_t i) {
      const CodePlace& place = std::get<CodePlace>(sites[i]->first);
      const auto is_place = [&place](const CodePlace& other) { return place == other; };
      const auto kept = edits_at(is_place, *edits, program, request.fix->cause);
      if (!kept) return;
      const Replayed replayed = replay_tasks(edited(*kept));
      for (const GraphScope& scope : scopes_) sites[i]->second.push_back(wall_of(scope, replayed));
    });
  }

  void settle(Found& one) const {
    std::vector<CallSite>& sites = one.finding.sites;
    if (sites.size() == 1) {
      const bool is_other = one.finding.if_apart || one.finding.if_shared;
      sites.front().saving_ns = is_other ? one.finding.most_saving_ns : one.finding.saving_ns;
      return;
    }
    for (CallSite& site : sites) {
      if (!is_weighed(one, site)) continue;
      const std::vector<Ns>& walls = walls_.at(key_of(site, end_of(one.finding)));
      if (walls.empty()) continue;  // the fix changes nothing there
      site.saving_ns = results_[one.scope].replay.wall_ns - walls[one.scope];
    }
    std::ranges::stable_sort(sites, [](const CallSite& a, const CallSite& b) {
      return a.saving_ns.value_or(never) > b.saving_ns.value_or(never);
    });
  }

  const Predictor& predictor_;
  const std::vector<GraphScope>& scopes_;
  const CauseOptions& options_;
  const std::vector<CausesResult>& results_;
  std::map<Key, std::vector<Ns>> walls_;  // by scope
};

class Judge {
 public:
  Judge(const Predictor& predictor, const std::vector<GraphScope>& scopes,
        const BlockingTimes& blocking_times, const Independence& independence,
        const CauseOptions& options, std::vector<CausesResult>& results)
      : predictor_(predictor),
        sources_(predictor.at(Sharing::least)),
        scopes_(scopes),
        blocking_times_(blocking_times),
        independence_(independence),
        options_(options),
        results_(results),
        most_alone_(scopes.size()) {}

  std::vector<Ns> judge() {
    std::vector<FixCandidate> candidates = chosen();
    if (candidates.empty()) return most_alone_;
    run(candidates);
    std::vector<FixCandidate> questions = questions_about(candidates);
    run(questions);
    // Sorted by cause, so that findings with equal savings have a fixed order.
    std::move(questions.begin(), questions.end(), std::back_inserter(candidates));
    std::ranges::stable_sort(candidates, [](const FixCandidate& a, const FixCandidate& b) {
      return a.request.fix->cause < b.request.fix->cause;
    });
    Weighing weighing(predictor_, scopes_, options_, results_);
    for (FixCandidate& candidate : candidates) {
      weighing.weigh(candidate);
      if (candidate.list == &CausesResult::findings) advance(options_.progress, steps_of_weighing);
      for (Found& one : candidate.found) {
        conclude(one.situation, one.finding);
        (results_[one.scope].*one.list).push_back(std::move(one.finding));
      }
    }
    return most_alone_;
  }

 private:
  // Returns the fixes to try, in the order of fixes(). A fix is tried for all scopes if its cause
  // delayed any task, because the ops of a scope may have waited for a task outside the scope.
  std::vector<FixCandidate> chosen() {
    const TimeByCause blocked = blocking_times_.time_by_cause();
    std::vector<FixCandidate> candidates;
    for (const Fix* fix : fixes()) {
      if (blocked[static_cast<std::size_t>(fix->cause)] <= 0) continue;
      FixCandidate candidate{{fix}, &CausesResult::findings};
      if (fix->where_independent) candidate.request.independence = &independence_;
      for (std::size_t i = 0; i < scopes_.size(); ++i) {
        if (results_[i].replay.wall_ns != 0) candidate.open.push_back(i);
      }
      const bool is_out = fix->is_plausible && !fix->is_plausible(sources_.trace, sources_.graph);
      if (candidate.open.empty() || is_out || fix->lacks(sources_.trace, sources_.graph)) {
        continue;
      }
      candidates.push_back(std::move(candidate));
    }
    skip_steps(options_.progress, usual_steps_of_fixes() -
                                      steps_of_fix * static_cast<std::int64_t>(candidates.size()));
    return candidates;
  }

  std::optional<Outcome> outcome_of(const FixRequest& request) const {
    std::optional<PredictedRun> run = predictor_.run(request);
    if (!run) return std::nullopt;
    Outcome outcome{{}, std::move(run->most.stand_ins)};
    for (const GraphScope& scope : scopes_) {
      outcome.predicted.push_back(predict(sources_.graph, scope, *run));
    }
    return outcome;
  }

  void run(std::vector<FixCandidate>& candidates) {
    in_parallel(candidates.size(), replays_at_once, [&](std::size_t i) {
      candidates[i].outcome = outcome_of(candidates[i].request);
      if (candidates[i].list == &CausesResult::findings)
        advance(options_.progress, steps_of_candidate);
    });
    for (FixCandidate& candidate : candidates) {
      if (candidate.outcome) look_at(candidate);
    }
  }

  // Adds the findings of a candidate. If the saving is large enough only at one end of Sharing,
  // adds a question instead.
  void look_at(FixCandidate& candidate) {
    std::vector<std::size_t> left;
    for (const std::size_t i : candidate.open) {
      CausesResult& result = results_[i];
      const Prediction& predicted = candidate.outcome->predicted[i];
      if (candidate.list == &CausesResult::findings) {
        const Ns saving = result.replay.wall_ns - predicted.wall_ns;
        most_alone_[i] = std::max(most_alone_[i], saving);
      }
      const Fix& fix = *candidate.request.fix;
      auto finding = finding_of(scopes_[i], result, fix, predicted, options_);
      const bool is_small = !finding;
      if (is_small) {
        left.push_back(i);
        finding = small_saving_of(candidate, i);
      }
      if (!finding) continue;
      const BlockedTasks blocked =
          blocking_times_.blocked_here_or_elsewhere(fix.cause, scopes_[i].tasks, scopes_[i].window);
      if (blocked.tasks.empty()) continue;
      add_sites_and_evidence(sources_, blocked, options_, *finding);
      finding->if_independent = candidate.list == &CausesResult::questions;
      const bool is_question = finding->if_apart || finding->if_shared;
      result.assumed.insert(candidate.outcome->stand_ins.begin(),
                            candidate.outcome->stand_ins.end());
      Situation situation =
          situation_of(sources_, scopes_[i], fix.cause, blocked, independence_, result);
      // A fix without `independence` is made everywhere, so kernels overlap, too. Grounds that hold
      // only for copies do not justify such a fix.
      if (!candidate.request.independence) std::erase_if(situation.grounds, is_of_copies_alone);
      const List usual = is_question ? &CausesResult::questions : candidate.list;
      candidate.found.push_back(
          {i, is_small ? &CausesResult::small_savings : usual, std::move(*finding), situation});
    }
    candidate.open = std::move(left);
  }

  // Returns an entry for CausesResult::small_savings, if the options ask for them.
  std::optional<FindingResult> small_saving_of(const FixCandidate& candidate, std::size_t i) const {
    if (!options_.keeps_small_savings) return std::nullopt;
    CauseOptions any = options_;
    any.least_saving = 0;
    any.least_saving_ns = 1;
    return finding_of(scopes_[i], results_[i], *candidate.request.fix,
                      candidate.outcome->predicted[i], any);
  }

  // Returns the candidates for questions. `candidates` has fixes that were made only where the
  // trace shows independence. If such a fix gave no finding in a scope, it may give a question
  // there. For the question, the fix is made everywhere.
  static std::vector<FixCandidate> questions_about(const std::vector<FixCandidate>& candidates) {
    std::vector<FixCandidate> questions;
    for (const FixCandidate& candidate : candidates) {
      if (!candidate.request.independence || candidate.open.empty()) continue;
      questions.push_back({{candidate.request.fix}, &CausesResult::questions, candidate.open});
    }
    return questions;
  }

  const Predictor& predictor_;
  Sources sources_;
  const std::vector<GraphScope>& scopes_;
  const BlockingTimes& blocking_times_;
  const Independence& independence_;
  const CauseOptions& options_;
  std::vector<CausesResult>& results_;
  std::vector<Ns> most_alone_;
};

}  // namespace

std::int64_t usual_steps_of_fixes() {
  constexpr std::int64_t one_in = 4;
  return steps_of_fix * static_cast<std::int64_t>(fixes().size()) / one_in;
}

std::vector<Ns> judge_fixes(const Predictor& predictor, const std::vector<GraphScope>& scopes,
                            const BlockingTimes& blocking_times, const Independence& independence,
                            const CauseOptions& options, std::vector<CausesResult>& results) {
  return Judge(predictor, scopes, blocking_times, independence, options, results).judge();
}

}  // namespace lapscope::analyzer
