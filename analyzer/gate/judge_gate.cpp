#include "analyzer/gate/judge_gate.h"

#include <algorithm>

#include "analyzer/findings/find_causes.h"
#include "analyzer/gate/compare.h"
#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/judge_conditions.h"
#include "analyzer/gate/judgement.h"
#include "analyzer/gate/troubles.h"

namespace lapscope::analyzer {
namespace {

// Returns the scope of the repeat that has the median value: the findings of this scope explain the
// outcome. Returns the first scope if no repeat has exactly this value.
const ScopeSummary& typical(const GatedWork& subject, const Measure& measure, double median) {
  for (const ScopeSummary* scope : subject.scopes) {
    const MeasureSummary* entry = scope == nullptr ? nullptr : find(*scope, measure);
    if (entry != nullptr && entry->value == median) return *scope;
  }
  return *subject.scopes.front();
}

JudgedScope judged_scope(const GatedWork& subject) {
  const auto first = std::ranges::find_if(
      subject.scopes, [](const ScopeSummary* scope) { return scope != nullptr; });
  return {subject.device,     subject.kind,     subject.range,
          subject.is_default, (*first)->steady, (*first)->words};
}

class GateJudge {
 public:
  GateJudge(const Gate& gate, Runs runs, Runs baseline, const Date& today)
      : gate_(gate),
        runs_(runs),
        baseline_(baseline),
        today_(today),
        trouble_of_runs_(trouble_of(gate, runs)) {}

  JudgedGate judge() {
    JudgedGate judged;
    judged.name = gate_.name;
    judged.place = gate_.place;
    for (const RunSummary& run : runs_) judged.files.push_back(run.source());
    if (gate_.baseline) judged.baseline = gate_.baseline->file;
    judged.notes = notes_of(runs_, baseline_);
    const auto subjects = gated_work_of(gate_, runs_);
    for (const GatedWork& subject : subjects) {
      judged.scopes.push_back(judged_scope(subject));
      note_wall(subject, judged.notes);
      judge_subject(subject, judged.judgements);
    }
    for (const std::string& missing : missing_work(gate_, subjects)) {
      judge_missing(missing, judged.judgements);
    }
    for (const GatedWork& lost : work_of_baseline_only(subjects)) {
      judge_lost(lost, judged.judgements);
    }
    return judged;
  }

 private:
  bool judges_wall() const {
    const auto is_wall = [](const Measure* measure) { return measure == &wall; };
    const bool is_bound =
        std::ranges::any_of(gate_.bounds, [&](const Bound& one) { return is_wall(one.measure); });
    return is_bound || (gate_.baseline && std::ranges::any_of(gate_.baseline->measures, is_wall));
  }

  // If all runs have a corrected wall, adds a note: the conditions on `wall` use the recorded wall.
  void note_wall(const GatedWork& subject, std::vector<Remark>& notes) const {
    if (!judges_wall()) return;
    const Figures corrected = figures_of(corrected_wall, subject.scopes, runs_);
    if (!corrected.repeats) return;
    notes.push_back(
        {RemarkKind::wall_as_recorded, {name_of(subject), corrected.repeats->median / 1e6}});
  }

  // Makes a judgement for each condition, but does not set its value and its outcome. Passes the
  // judgement to one of three functions: of_bound(judgement, bound), of_ban(judgement, ban) or
  // of_baseline(judgement, measure).
  template <class OfBound, class OfBan, class OfBaseline>
  void for_each_condition(const std::string& subject, const std::string& scope, OfBound&& of_bound,
                          OfBan&& of_ban, OfBaseline&& of_baseline) const {
    const auto begun = [&](std::string condition, const Place& place) {
      Judgement judgement;
      judgement.subject = subject;
      judgement.scope = scope;
      judgement.condition = std::move(condition);
      judgement.place = place;
      return judgement;
    };
    for (const Bound& bound : gate_.bounds) {
      Judgement judgement = begun(name_of(bound), bound.place);
      judgement.unit = bound.measure->unit;
      judgement.sense = bound.sense;
      judgement.bound = bound.value;
      of_bound(std::move(judgement), bound);
    }
    for (const Ban& ban : gate_.bans) {
      Judgement judgement = begun(name_of(ban), ban.place);
      judgement.sense = Sense::at_most;
      judgement.bound = ban.allowed.value_or(CauseOptions().least_saving);
      judgement.is_below = !ban.allowed;
      of_ban(std::move(judgement), ban);
    }
    if (!gate_.baseline) return;
    for (const Measure* measure : gate_.baseline->measures) {
      Judgement judgement = begun(baseline_name(*measure), gate_.baseline->place);
      judgement.unit = measure->unit;
      judgement.sense = measure->better == Better::less ? Sense::at_most : Sense::at_least;
      of_baseline(std::move(judgement), *measure);
    }
  }

  // Returns the work that only the baseline has. Returns nothing if the runs have no work at all.
  std::vector<GatedWork> work_of_baseline_only(const std::vector<GatedWork>& subjects) const {
    if (subjects.empty()) return {};
    auto works = gated_work_of(gate_, baseline_);
    std::erase_if(works, [&](const GatedWork& then) {
      return std::ranges::any_of(subjects, [&](const GatedWork& now) {
        const bool only = runs_[0].devices.size() == 1 && baseline_[0].devices.size() == 1;
        return is_same_scope(now, then) && (now.device == then.device || only);
      });
    });
    return works;
  }

  void judge_lost(const GatedWork& lost, std::vector<Judgement>& judgements) const {
    const auto skip = [](const Judgement&, const auto&) {};
    const auto add = [&](Judgement judgement, const Measure&) {
      judgement.reason = {RemarkKind::lost_work, {baseline_[0].source(), runs_[0].source()}};
      judgements.push_back(std::move(judgement));
    };
    for_each_condition(name_of(lost), scope_name_of(lost), skip, skip, add);
  }

  void judge_missing(const std::string& missing, std::vector<Judgement>& judgements) const {
    const Remark reason =
        trouble_of_runs_.empty() ? trouble_of_missing(gate_, missing, runs_) : trouble_of_runs_;
    const auto add = [&](Judgement judgement, const auto&) {
      judgement.lacks_scope = true;
      judgement.reason = reason;
      judgements.push_back(std::move(judgement));
    };
    for_each_condition(missing, missing, add, add, add);
  }

  void judge_subject(const GatedWork& subject, std::vector<Judgement>& judgements) const {
    Remark trouble = trouble_of_runs_;
    if (trouble.empty()) trouble = trouble_of(gate_, subject, runs_);
    const auto finish = [&](Judgement judgement, auto&& explanation) {
      if (!trouble.empty()) {
        judgement.outcome = Outcome::inconclusive;
        judgement.reason = trouble;
      }
      if (judgement.outcome == Outcome::failed) judgement.because = explanation();
      apply_waivers(judgement, gate_, today_);
      judgements.push_back(std::move(judgement));
    };
    const auto explain_by = [&subject](const Measure& measure, const Judgement& judgement) {
      return [&subject, &measure, median = judgement.value ? judgement.value->median : 0] {
        return explain(typical(subject, measure, median));
      };
    };
    for_each_condition(
        name_of(subject), scope_name_of(subject),
        [&](Judgement judgement, const Bound& bound) {
          judge_bound(judgement, gate_, bound, subject, runs_);
          const auto explanation = explain_by(*bound.measure, judgement);
          finish(std::move(judgement), explanation);
        },
        [&](Judgement judgement, const Ban& ban) {
          judge_ban(judgement, gate_, ban, subject, runs_);
          finish(std::move(judgement), [&] { return explain_ban(ban, subject); });
        },
        [&](Judgement judgement, const Measure& measure) {
          judge_baseline(judgement, gate_, measure, subject, runs_, baseline_);
          const auto explanation = explain_by(measure, judgement);
          finish(std::move(judgement), explanation);
        });
  }

  static std::vector<Explanation> explain_ban(const Ban& ban, const GatedWork& subject) {
    for (const ScopeSummary* scope : subject.scopes) {
      auto explanations = explain(*scope, ban.cause);
      if (!explanations.empty()) return explanations;
    }
    return {};
  }

  const Gate& gate_;
  const Runs runs_;
  const Runs baseline_;
  const Date& today_;
  const Remark trouble_of_runs_;
};

}  // namespace

JudgedGate judge_gate(const Gate& gate, Runs runs, Runs baseline, const Date& today) {
  std::vector<RunSummary> of_same_rank(baseline.begin(), baseline.end());
  std::erase_if(of_same_rank,
                [&](const RunSummary& then) { return are_other_ranks(then, runs.front()); });
  return GateJudge(gate, runs, of_same_rank, today).judge();
}

}  // namespace lapscope::analyzer
