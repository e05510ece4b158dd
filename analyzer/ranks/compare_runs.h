#pragma once

#include <optional>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/run_result.h"

namespace lapscope::analyzer {

// How long the steps of a run take; where it has none, its window is the one step.
struct StepSpread {
  std::size_t steps = 1;
  Ns least = 0;
  Ns lower = 0;  // a quarter takes no longer
  Ns median = 0;
  Ns upper = 0;  // three quarters take no longer
  Ns most = 0;
  std::size_t longest = 0;  // which step that is, from 0
};
StepSpread step_spread(const RunResult& run);

// A cause between the ranks with what its fix saves, as shares of each run's window. Absent where
// it is not found.
struct CauseChange {
  RunCause cause = RunCause::straggler;
  std::optional<Share> before;
  std::optional<Share> after;
};

enum class RunChange : std::uint8_t { faster, slower, same, unknown };

// Two runs of as many steps or more, compared by a step.
struct RunComparison {
  StepSpread before;
  StepSpread after;
  // `same` where the middle halves of the two runs' steps overlap; `unknown` where a run is
  // inconclusive, or only one of them has steps of several collectives, or steps at all.
  RunChange change = RunChange::unknown;
  std::vector<CauseChange> causes;  // of either run, as run_causes orders them
};

RunComparison compare_runs_of_ranks(const RunResult& before, const RunResult& after);

// What a state takes on average in a step, over all ranks.
Ns mean_in_step(const RunResult& run, Ns RankTime::*state);

}  // namespace lapscope::analyzer
