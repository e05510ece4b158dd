#pragma once

#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/judgement.h"

namespace lapscope::analyzer {

// A measure of every run, or why it cannot be had.
struct Figures {
  std::optional<Repeats> repeats;
  Remark trouble;
};

// `scopes` has one for each of the runs, or null.
Figures figures_of(const Measure& measure, std::span<const ScopeSummary* const> scopes, Runs runs);

// A bound; low and high differ only if it comes from repeats of a baseline.
struct Limit {
  double low = 0;
  double middle = 0;
  double high = 0;
};

// How a value relates to a bound: see judge_gate.
Outcome outcome_of(const Repeats& value, const Limit& limit, Sense sense);

// Sets a judgement's value, bound, margin and outcome, by its sense.
void compare(Judgement& judgement, const Repeats& value, const Limit& limit);

}  // namespace lapscope::analyzer
