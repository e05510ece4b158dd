#include "analyzer/findings/judge_fixes.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analyzer/explain/held_tasks.h"
#include "analyzer/findings/edits_at.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/situation.h"
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

// What a fix that was tried does to each of the scopes.
struct Outcome {
  std::vector<Prediction> predicted;     // by scope
  std::set<std::string_view> stand_ins;  // of its replay
};

// A fix that is tried, wherever the data allow it or everywhere.
struct Trial {
  FixRequest request;
  List list = nullptr;
  std::vector<std::size_t> open = {};  // scopes of which it holds tasks up, without a finding
  std::optional<Outcome> outcome = std::nullopt;
  std::vector<Found> found = {};
};

// What sites of findings save alone.
class Weighing {
 public:
  Weighing(const Predictor& predictor, const std::vector<GraphScope>& scopes,
           const CauseOptions& options, const std::vector<CausesResult>& results)
      : predictor_(predictor), scopes_(scopes), options_(options), results_(results) {}

  // Of the sites of a trial's findings, and puts them in that order. A site whose ops waited for
  // less than a finding must save is not worth a replay.
  void weigh(Trial& trial) {
    walls_.clear();
    for (const Found& one : trial.found) ask(one);
    for (const Sharing end : {Sharing::most, Sharing::least}) replay_at(end, trial.request);
    for (Found& one : trial.found) settle(one);
  }

 private:
  using Key = std::tuple<CodePlace, Sharing>;
  static Key key_of(const CallSite& site, Sharing end) {
    return {{site.what, site.range, site.line, site.caller, !site.forward_stack.empty()}, end};
  }

  // At which the saving that a finding is listed by was predicted.
  static Sharing end_of(const FindingResult& finding) {
    const bool is_other = finding.if_apart || finding.if_shared;
    const bool is_longer_at_most = finding.predicted.longer == Sharing::most;
    return is_other == is_longer_at_most ? Sharing::least : Sharing::most;
  }

  bool is_weighed(const Found& one, const CallSite& site) const {
    const std::int64_t wall = results_[one.scope].replay.wall_ns;
    return one.finding.sites.size() > 1 && is_worth_a_finding(site.waited_ns, wall, options_);
  }

  void ask(const Found& one) {
    for (const CallSite& site : one.finding.sites) {
      if (is_weighed(one, site)) walls_[key_of(site, end_of(one.finding))];
    }
  }

  void replay_at(Sharing end, const FixRequest& request) {
    std::vector<std::pair<const Key, std::vector<std::int64_t>>*> asked;
    for (auto& one : walls_) {
      if (std::get<Sharing>(one.first) == end) asked.push_back(&one);
    }
    if (asked.empty()) return;
    const Sources program = predictor_.at(end);
    const auto edits = edits_of(request, program);
    if (!edits) return;
    in_parallel(asked.size(), replays_at_once, [&](std::size_t i) {
      const CodePlace& place = std::get<CodePlace>(asked[i]->first);
      const auto is_place = [&place](const CodePlace& other) { return place == other; };
      const auto kept = edits_at(is_place, *edits, program, request.fix->cause);
      if (!kept) return;
      const Replayed replayed = replay_tasks(edited(*kept));
      for (const GraphScope& scope : scopes_) asked[i]->second.push_back(wall_of(scope, replayed));
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
      const std::vector<std::int64_t>& walls = walls_.at(key_of(site, end_of(one.finding)));
      if (walls.empty()) continue;  // the fix changes nothing there
      site.saving_ns = results_[one.scope].replay.wall_ns - walls[one.scope];
    }
    std::stable_sort(sites.begin(), sites.end(), [](const CallSite& a, const CallSite& b) {
      return a.saving_ns.value_or(never) > b.saving_ns.value_or(never);
    });
  }

  const Predictor& predictor_;
  const std::vector<GraphScope>& scopes_;
  const CauseOptions& options_;
  const std::vector<CausesResult>& results_;
  std::map<Key, std::vector<std::int64_t>> walls_;  // by scope
};

class Judge {
 public:
  Judge(const Predictor& predictor, const std::vector<GraphScope>& scopes,
        const HeldTasks& held_tasks, const Independence& independence, const CauseOptions& options,
        std::vector<CausesResult>& results)
      : predictor_(predictor),
        sources_(predictor.at(Sharing::least)),
        scopes_(scopes),
        held_tasks_(held_tasks),
        independence_(independence),
        options_(options),
        results_(results),
        most_alone_(scopes.size()) {}

  std::vector<std::int64_t> judge() {
    std::vector<Trial> trials = chosen();
    if (trials.empty()) return most_alone_;
    run(trials);
    std::vector<Trial> asked = not_shown(trials);
    run(asked);
    // By fix, so that the order of equal ones is known.
    std::move(asked.begin(), asked.end(), std::back_inserter(trials));
    std::stable_sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) {
      return a.request.fix->cause < b.request.fix->cause;
    });
    Weighing weighing(predictor_, scopes_, options_, results_);
    for (Trial& trial : trials) {
      weighing.weigh(trial);
      if (trial.list == &CausesResult::findings) advance(options_.progress, steps_of_weighing);
      for (Found& one : trial.found) {
        conclude(one.situation, one.finding);
        (results_[one.scope].*one.list).push_back(std::move(one.finding));
      }
    }
    return most_alone_;
  }

 private:
  // In the order of fixes.
  std::vector<Trial> chosen() {
    std::vector<TimeByCause> held;
    for (const GraphScope& scope : scopes_) {
      held.push_back(held_tasks_.times(scope.tasks, scope.window));
    }
    std::vector<Trial> trials;
    for (const Fix* fix : fixes()) {
      Trial trial{{fix}, &CausesResult::findings};
      if (fix->shown) trial.request.shown = &independence_;
      for (std::size_t i = 0; i < scopes_.size(); ++i) {
        const bool is_held = held[i][static_cast<std::size_t>(fix->cause)] > 0;
        if (is_held && results_[i].replay.wall_ns != 0) trial.open.push_back(i);
      }
      const bool is_out = fix->is_plausible && !fix->is_plausible(sources_.trace, sources_.graph);
      if (trial.open.empty() || is_out || fix->lacks(sources_.trace, sources_.graph)) {
        continue;
      }
      trials.push_back(std::move(trial));
    }
    leave_out(options_.progress,
              usual_steps_of_fixes() - steps_of_fix * static_cast<std::int64_t>(trials.size()));
    return trials;
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

  void run(std::vector<Trial>& trials) {
    in_parallel(trials.size(), replays_at_once, [&](std::size_t i) {
      trials[i].outcome = outcome_of(trials[i].request);
      if (trials[i].list == &CausesResult::findings) advance(options_.progress, steps_of_trial);
    });
    for (Trial& trial : trials) {
      if (trial.outcome) look_at(trial);
    }
  }

  // A finding that there is at one end of what kernels share alone is a question.
  void look_at(Trial& trial) {
    std::vector<std::size_t> left;
    for (const std::size_t i : trial.open) {
      CausesResult& result = results_[i];
      const Prediction& predicted = trial.outcome->predicted[i];
      if (trial.list == &CausesResult::findings) {
        const std::int64_t saving = result.replay.wall_ns - predicted.wall_ns;
        most_alone_[i] = std::max(most_alone_[i], saving);
      }
      const Fix& fix = *trial.request.fix;
      auto finding = finding_of(scopes_[i], result, fix, predicted, options_);
      if (!finding) {
        left.push_back(i);
        continue;
      }
      const Held held = held_tasks_.by(fix.cause, scopes_[i].tasks, scopes_[i].window);
      tell_of(sources_, held, options_, *finding);
      finding->if_independent = trial.list == &CausesResult::questions;
      const bool is_asked = finding->if_apart || finding->if_shared;
      result.assumed.insert(trial.outcome->stand_ins.begin(), trial.outcome->stand_ins.end());
      Situation situation =
          situation_of(sources_, scopes_[i], fix.cause, held, independence_, result);
      // Everywhere it is made to the kernels, too.
      if (!trial.request.shown) std::erase_if(situation.grounds, is_of_copies_alone);
      trial.found.push_back(
          {i, is_asked ? &CausesResult::questions : trial.list, std::move(*finding), situation});
    }
    trial.open = std::move(left);
  }

  // The fixes of which the data do not allow enough, everywhere.
  static std::vector<Trial> not_shown(const std::vector<Trial>& trials) {
    std::vector<Trial> asked;
    for (const Trial& trial : trials) {
      if (!trial.request.shown || trial.open.empty()) continue;
      asked.push_back({{trial.request.fix}, &CausesResult::questions, trial.open});
    }
    return asked;
  }

  const Predictor& predictor_;
  Sources sources_;
  const std::vector<GraphScope>& scopes_;
  const HeldTasks& held_tasks_;
  const Independence& independence_;
  const CauseOptions& options_;
  std::vector<CausesResult>& results_;
  std::vector<std::int64_t> most_alone_;
};

}  // namespace

std::int64_t usual_steps_of_fixes() {
  constexpr std::int64_t one_in = 4;
  return steps_of_fix * static_cast<std::int64_t>(fixes().size()) / one_in;
}

std::vector<std::int64_t> judge_fixes(const Predictor& predictor,
                                      const std::vector<GraphScope>& scopes,
                                      const HeldTasks& held_tasks, const Independence& independence,
                                      const CauseOptions& options,
                                      std::vector<CausesResult>& results) {
  return Judge(predictor, scopes, held_tasks, independence, options, results).judge();
}

}  // namespace lapscope::analyzer
