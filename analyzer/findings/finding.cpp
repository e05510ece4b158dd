#include "analyzer/findings/finding.h"

#include <cmath>

#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

bool is_worth_a_finding(Ns saving_ns, Ns wall_ns, const CauseOptions& options) {
  return saving_ns >= options.least_saving_ns &&
         static_cast<double>(saving_ns) >= options.least_saving * static_cast<double>(wall_ns);
}

std::optional<FindingResult> finding_of(const GraphScope& scope, const CausesResult& result,
                                        const Fix& fix, const Prediction& predicted,
                                        const CauseOptions& options) {
  const Ns wall = result.replay.wall_ns;
  FindingResult finding;
  finding.predicted = predicted;
  finding.predicted.changed.fixes = {fix.cause};
  finding.predicted.needs_judgement = fix.needs_judgement;
  finding.saving_ns = wall - predicted.wall_ns;
  const Ns recorded = scope.window.length();
  finding.saving_share = portion(finding.saving_ns, wall);
  finding.most_saving_ns = wall - predicted.least_wall_ns;
  // A saving means nothing if it is smaller than the replay's error for the unchanged run.
  const auto is_worth = [&](Ns saving_ns) {
    return is_worth_a_finding(saving_ns, wall, options) &&
           (!rule::beyond_replay_error || saving_ns >= std::abs(wall - recorded));
  };
  if (!is_worth(finding.most_saving_ns)) return std::nullopt;
  const bool is_question = !is_worth(finding.saving_ns);
  if (is_question && predicted.doubt == Doubt::unexplained) return std::nullopt;
  finding.if_apart = is_question && predicted.longer == Sharing::most;
  finding.if_shared = is_question && predicted.longer == Sharing::least;
  finding.code = code_of(fix.cause);
  return finding;
}

void add_sites_and_evidence(const Sources& sources, const BlockedTasks& blocked,
                            const CauseOptions& options, FindingResult& finding) {
  constexpr std::size_t waits_listed = 3;  // the longest
  const Cause cause = *cause_of_code(finding.code);
  finding.occurrences = static_cast<std::int64_t>(blocked.tasks.size());
  finding.waited_ns = blocked.time();
  finding.sites = sites_of(sources, cause, blocked);
  if (finding.sites.size() > options.sites_listed) finding.sites.resize(options.sites_listed);
  finding.evidence = longest_waits(sources, cause, blocked, waits_listed);
}

void conclude(const Situation& situation, FindingResult& finding) {
  finding.what = finding.sites.front().what;
  finding.situation = situation;
}

}  // namespace lapscope::analyzer
