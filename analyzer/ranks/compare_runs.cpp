#include "analyzer/ranks/compare_runs.h"

#include <algorithm>
#include <cmath>

namespace lapscope::analyzer {
namespace {

// Returns the greatest saving of a finding or question with this cause, as a share of the run's
// window.
std::optional<Share> share_of(RunCause cause, const RunResult& run) {
  std::optional<Share> most;
  for (const auto* list : {&run.findings, &run.questions}) {
    for (const RunFinding& finding : *list) {
      if (finding.cause != cause) continue;
      const Share share =
          static_cast<Share>(finding.saving) / static_cast<Share>(run.window.length());
      most = std::max(most.value_or(0), share);
    }
  }
  return most;
}

// Whether the steps of both runs do the same work, so that their times can be compared. Steps with
// the same number of collectives do the same work. If this number differs, a fix may have merged
// collectives, and the steps may still do the same work. Merging changes the number of collectives
// in the run, but not the number of steps. So if the number of collectives changed by a greater
// factor than the number of steps, the steps are assumed to do the same work:
//
//   before                       after
//   20 steps, 600 collectives    19 steps,  76 collectives    same work, merged collectives
//   12 steps, 192 collectives    96 steps, 192 collectives    different parts of the program
bool are_of_equal_work(const RunResult& before, const RunResult& after) {
  if (before.steps.empty() != after.steps.empty()) return false;
  if (before.steps.empty()) {
    return before.collectives + before.exchanges > 0 && before.collectives == after.collectives &&
           before.exchanges == after.exchanges;
  }
  const auto difference = [](std::size_t a, std::size_t b) {
    return std::abs(std::log(static_cast<double>(a) / static_cast<double>(b)));
  };
  const std::size_t steps[] = {step_spread(before).steps, step_spread(after).steps};
  return before.collectives_in_step == after.collectives_in_step ||
         difference(steps[0], steps[1]) < difference(steps[0] * before.collectives_in_step,
                                                     steps[1] * after.collectives_in_step);
}

RunChange change_of(const RunResult& before, const RunResult& after,
                    const RunComparison& comparison) {
  const bool is_open = verdict_of(before) == Verdict::inconclusive ||
                       verdict_of(after) == Verdict::inconclusive ||
                       !are_of_equal_work(before, after);
  if (is_open) return RunChange::unknown;
  if (comparison.after.upper < comparison.before.lower) return RunChange::faster;
  if (comparison.before.upper < comparison.after.lower) return RunChange::slower;
  return RunChange::same;
}

}  // namespace

StepSpread step_spread(const RunResult& run) {
  std::vector<Ns> walls;
  for (std::size_t i = 1; i < run.steps.size(); ++i) {
    walls.push_back(run.steps[i] - run.steps[i - 1]);
  }
  if (walls.empty()) walls.push_back(run.window.length());
  StepSpread spread;
  spread.steps = walls.size();
  spread.longest =
      static_cast<std::size_t>(std::max_element(walls.begin(), walls.end()) - walls.begin());
  std::sort(walls.begin(), walls.end());
  spread.least = walls.front();
  spread.lower = walls[walls.size() / 4];
  spread.median = walls[walls.size() / 2];
  spread.upper = walls[3 * (walls.size() - 1) / 4 + (3 * (walls.size() - 1) % 4 > 0 ? 1 : 0)];
  spread.most = walls.back();
  return spread;
}

Ns mean_in_step(const RunResult& run, Ns RankTime::*state) {
  Ns sum = 0;
  for (const RankResult& rank : run.ranks) sum += rank.time.*state;
  const auto steps = static_cast<Ns>(step_spread(run).steps);
  return sum / (steps * static_cast<Ns>(run.ranks.size()));
}

RunComparison compare_runs_of_ranks(const RunResult& before, const RunResult& after) {
  RunComparison comparison;
  comparison.before = step_spread(before);
  comparison.after = step_spread(after);
  comparison.change = change_of(before, after, comparison);
  for (const RunCause cause : run_causes) {
    const CauseChange change{cause, share_of(cause, before), share_of(cause, after)};
    if (change.before || change.after) comparison.causes.push_back(change);
  }
  return comparison;
}

}  // namespace lapscope::analyzer
