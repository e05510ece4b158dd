#pragma once

#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/judgement.h"

namespace lapscope::analyzer {

// The values of a measure in all runs, or the reason why a value is missing.
struct Figures {
  std::optional<Repeats> repeats;
  Remark trouble;
};

// Returns the values of a measure in `scopes`, which has an entry for each run. The entry is null
// if the run does not have the scope.
Figures figures_of(const Measure& measure, std::span<const ScopeSummary* const> scopes, Runs runs);

// A bound. If it comes from repeats of a baseline, it has a spread from `low` to `high`. Otherwise,
// the three values are equal.
struct Limit {
  double low = 0;
  double middle = 0;
  double high = 0;
};

// Returns how a value compares with a bound: see judge_gate().
Outcome outcome_of(const Repeats& value, const Limit& limit, Sense sense);

// Sets the value, bound, margin and outcome of a judgement. Also sets the reason if the outcome is
// inconclusive. Judgement::sense decides on which side of the bound a value passes.
void compare(Judgement& judgement, const Repeats& value, const Limit& limit);

}  // namespace lapscope::analyzer
