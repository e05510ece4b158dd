#pragma once

#include <optional>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/run_result.h"

namespace lapscope::analyzer {

// How long the steps of a run take, in ns. A run without steps has its window as its only step.
struct StepSpread {
  std::size_t steps = 1;
  Ns least = 0;
  Ns lower = 0;  // a quarter of the steps take no longer
  Ns median = 0;
  Ns upper = 0;  // three quarters of the steps take no longer
  Ns most = 0;
  std::size_t longest = 0;  // index of the longest step, from 0
};
StepSpread step_spread(const RunResult& run);

// One RunCause in two runs. `before` and `after`: the share of the run's window that its fix saves.
// Empty if the run does not have the cause.
struct CauseChange {
  RunCause cause = RunCause::straggler;
  std::optional<Share> before;
  std::optional<Share> after;
};

enum class RunChange : std::uint8_t { faster, slower, same, unknown };

struct RunComparison {
  StepSpread before;
  StepSpread after;
  // `same` if the middle halves of the two runs' step times overlap. `unknown` in these cases:
  // - A run is inconclusive.
  // - Only one run has steps.
  // - Neither has steps, and their windows have different numbers of collectives.
  // - The runs differ in the number of steps, and in the number of collectives of a step. In this
  //   case, the steps may be from different parts of the program.
  RunChange change = RunChange::unknown;
  std::vector<CauseChange> causes;  // causes of either run, in the order of run_causes
};

RunComparison compare_runs_of_ranks(const RunResult& before, const RunResult& after);

// Returns the time in ns that a rank spends in `state` per step, averaged over ranks and steps.
Ns mean_in_step(const RunResult& run, Ns RankTime::*state);

}  // namespace lapscope::analyzer
