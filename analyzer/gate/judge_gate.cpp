#include "analyzer/gate/judge_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/gate/compare.h"
#include "analyzer/gate/explain.h"
#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/troubles.h"

namespace lapscope::analyzer {
namespace {

// The repeat that has the median, to be explained.
const ScopeSummary& typical(const GatedWork& subject, const Measure& measure, double median) {
  for (const ScopeSummary* scope : subject.scopes) {
    const MeasureSummary* held = scope == nullptr ? nullptr : find(*scope, measure);
    if (held != nullptr && held->value == median) return *scope;
  }
  return *subject.scopes.front();
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
    judged.notes = notes();
    const auto subjects = gated_work_of(gate_, runs_);
    for (const GatedWork& subject : subjects) judge_subject(subject, judged.judgements);
    for (const std::string& missing : missing_work(gate_, subjects)) {
      judge_missing(missing, judged.judgements);
    }
    return judged;
  }

 private:
  // What is said of a comparison of runs that differ in more than their figures.
  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (baseline_.empty()) return notes;
    const TraceFacts& now = runs_[0].trace;
    const TraceFacts& then = baseline_[0].trace;
    if (now.command != then.command) {
      notes.push_back(fmt::format("The baseline is of another command: '{}' instead of '{}'.",
                                  then.command, now.command));
    }
    if (now.driver != then.driver) {
      notes.push_back(
          fmt::format("The baseline was recorded with another driver: {} instead of {}.",
                      then.driver, now.driver));
    }
    return notes;
  }

  // f(judgement, scope) of each condition, to be filled in.
  template <class OfBound, class OfBan, class OfBaseline>
  void for_each_condition(const std::string& subject, OfBound&& of_bound, OfBan&& of_ban,
                          OfBaseline&& of_baseline) const {
    const auto begun = [&subject](std::string condition, const Place& place) {
      Judgement judgement;
      judgement.subject = subject;
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
      judgement.bound = ban.allowed;
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

  void judge_missing(const std::string& missing, std::vector<Judgement>& judgements) const {
    std::string reason = fmt::format("'{}' has no GPU work of {}", runs_[0].source(), missing);
    const bool is_range = !gate_.ranges.empty() || gate_.profiler_brackets;
    reason += !is_range                    ? "."
              : runs_[0].read_from.empty() ? "; check the name, and that the program sets it."
                                           : "; name the range when you summarize the trace.";
    if (!trouble_of_runs_.empty()) reason = trouble_of_runs_;
    const auto add = [&](Judgement judgement, const auto&) {
      judgement.reason = reason;
      judgements.push_back(std::move(judgement));
    };
    for_each_condition(missing, add, add, add);
  }

  void judge_subject(const GatedWork& subject, std::vector<Judgement>& judgements) const {
    std::string trouble = trouble_of_runs_;
    if (trouble.empty()) trouble = trouble_of(gate_, subject, runs_);
    const auto finish = [&](Judgement judgement, auto&& explanation) {
      if (!trouble.empty()) {
        judgement.outcome = Outcome::inconclusive;
        judgement.reason = trouble;
      }
      if (judgement.outcome == Outcome::failed) judgement.because = explanation();
      apply_waiver(judgement);
      judgements.push_back(std::move(judgement));
    };
    const auto explain_by = [&subject](const Measure& measure, const Judgement& judgement) {
      return [&subject, &measure, median = judgement.value ? judgement.value->median : 0] {
        return explain(typical(subject, measure, median));
      };
    };
    for_each_condition(
        name_of(subject),
        [&](Judgement judgement, const Bound& bound) {
          judge_bound(judgement, bound, subject);
          const auto explanation = explain_by(*bound.measure, judgement);
          finish(std::move(judgement), explanation);
        },
        [&](Judgement judgement, const Ban& ban) {
          judge_ban(judgement, ban, subject);
          finish(std::move(judgement), [&] { return explain_ban(ban, subject); });
        },
        [&](Judgement judgement, const Measure& measure) {
          judge_baseline(judgement, measure, subject);
          const auto explanation = explain_by(measure, judgement);
          finish(std::move(judgement), explanation);
        });
  }

  void judge_bound(Judgement& judgement, const Bound& bound, const GatedWork& subject) const {
    const Figures figures = figures_of(*bound.measure, subject.scopes, runs_);
    if (!figures.repeats) {
      judgement.reason = figures.trouble;
      return;
    }
    compare(judgement, *figures.repeats, {bound.value, bound.value, bound.value});
  }

  // The value of a ban is the share of the wall time that its worst finding would save.
  void judge_ban(Judgement& judgement, const Ban& ban, const GatedWork& subject) const {
    std::vector<double> shares;
    std::size_t with_finding = 0;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      const ScopeSummary* scope = subject.scopes[run];
      if (scope == nullptr) return;
      if (!scope->causes) {
        judgement.reason = fmt::format("The causes of serialization were not analyzed in '{}'.",
                                       runs_[run].source());
        return;
      }
      const double error = std::abs(scope->causes->replay_error);
      if (!(error <= gate_.most_replay_error)) {
        judgement.reason = fmt::format(
            "The replay of '{}' is off by {:.1f} %, more than {:.1f} %, so that its findings "
            "cannot "
            "be relied on.",
            runs_[run].source(), 100 * error, 100 * gate_.most_replay_error);
        return;
      }
      double share = 0;
      bool found = false;
      for (const FindingSummary& finding : scope->causes->findings) {
        if (finding.code != code_of(ban.cause)) continue;
        found = true;
        share = std::max(share, finding.saving_share);
      }
      with_finding += found ? 1 : 0;
      shares.push_back(share);
    }
    compare(judgement, repeats_of(std::move(shares)), {ban.allowed, ban.allowed, ban.allowed});
    // Without an allowance a finding is forbidden however little it would save.
    if (ban.allowed > 0) return;
    judgement.reason.clear();
    judgement.outcome = with_finding == 0              ? Outcome::passed
                        : with_finding == runs_.size() ? Outcome::failed
                                                       : Outcome::inconclusive;
    if (judgement.outcome == Outcome::inconclusive) {
      judgement.reason =
          fmt::format("It was found in {} of the {} repeats.", with_finding, runs_.size());
    }
  }

  std::vector<Explanation> explain_ban(const Ban& ban, const GatedWork& subject) const {
    for (const ScopeSummary* scope : subject.scopes) {
      auto explanations = explain(*scope, ban.cause);
      if (!explanations.empty()) return explanations;
    }
    return {};
  }

  void judge_baseline(Judgement& judgement, const Measure& measure,
                      const GatedWork& subject) const {
    const Figures now = figures_of(measure, subject.scopes, runs_);
    if (!now.repeats) {
      judgement.reason = now.trouble;
      return;
    }
    judgement.value = now.repeats;
    std::vector<const ScopeSummary*> then_scopes;
    judgement.reason = baseline_scopes(subject, then_scopes);
    if (!judgement.reason.empty()) return;
    const Figures then = figures_of(measure, then_scopes, baseline_);
    if (!then.repeats) {
      judgement.reason = "Of the baseline: " + then.trouble;
      return;
    }
    judgement.baseline = then.repeats->median;
    const Tolerance& tolerance = gate_.baseline->tolerance;
    const double absolute = measure.unit == MeasureUnit::ns ? tolerance.ns : tolerance.ratio;
    const auto bound = [&](double value) {
      const double allowed = std::max(tolerance.relative * std::abs(value), absolute);
      return judgement.sense == Sense::at_least ? value - allowed : value + allowed;
    };
    compare(judgement, *now.repeats,
            {bound(then.repeats->low), bound(then.repeats->median), bound(then.repeats->high)});
  }

  // The baseline's counterparts of a subject, one for each of its runs, or a sentence that says why
  // it cannot be compared.
  std::string baseline_scopes(const GatedWork& subject,
                              std::vector<const ScopeSummary*>& scopes) const {
    const std::string trouble = trouble_of(gate_, baseline_);
    if (!trouble.empty()) return "Of the baseline: " + trouble;
    for (const RunSummary& run : baseline_) {
      const bool only = runs_[0].devices.size() == 1;
      const DeviceSummary* device = counterpart(run, subject.device, only);
      const ScopeSummary* scope =
          device == nullptr ? nullptr : find_scope(*device, subject.kind, subject.range);
      if (scope == nullptr) {
        return fmt::format("The baseline '{}' has no {}.", run.source(), name_of(subject));
      }
      if (scope->ops < gate_.least_ops) {
        return fmt::format("The baseline '{}' has {} ops there, fewer than {}.", run.source(),
                           scope->ops, gate_.least_ops);
      }
      if (device->name != subject.gpu && !gate_.allow_other_gpu) {
        return fmt::format(
            "The baseline is of another GPU, {} instead of {}; if that is meant, use "
            "--allow-other-gpu, or allow_other_gpu in the gate file.",
            device->name.empty() ? "unknown" : device->name,
            subject.gpu.empty() ? "unknown" : subject.gpu);
      }
      scopes.push_back(scope);
    }
    return "";
  }

  void apply_waiver(Judgement& judgement) const {
    const auto waiver = std::find_if(
        gate_.waivers.begin(), gate_.waivers.end(),
        [&](const Waiver& candidate) { return candidate.condition == judgement.condition; });
    if (waiver == gate_.waivers.end()) return;
    const bool expired = waiver->until < today_;
    if (judgement.outcome == Outcome::failed) {
      judgement.waiver = *waiver;
      if (!expired) {
        judgement.outcome = Outcome::waived;
        judgement.reason =
            fmt::format("Waived until {}: {}", text_of(waiver->until), waiver->reason);
      } else {
        judgement.reason =
            fmt::format("The waiver of it expired on {}: {}. Mend it, or decide on a new date.",
                        text_of(waiver->until), waiver->reason);
      }
    } else if (judgement.outcome == Outcome::passed) {
      judgement.reason = "Its waiver is no longer needed; remove it.";
    }
  }

  const Gate& gate_;
  const Runs runs_;
  const Runs baseline_;
  const Date& today_;
  const std::string trouble_of_runs_;
};

}  // namespace

JudgedGate judge_gate(const Gate& gate, Runs runs, Runs baseline, const Date& today) {
  return GateJudge(gate, runs, baseline, today).judge();
}

}  // namespace lapscope::analyzer
