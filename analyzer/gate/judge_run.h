#pragma once

#include <functional>

#include "analyzer/gate/judgement.h"
#include "analyzer/ranks/judge_ranks.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// Judges what a gate forbids of the ranks of a run together (Gate::run_bans). The value is the
// share of the run's window that a finding would save, without what recording may have added; where
// only that addition keeps it on the good side of the bound, the condition is inconclusive. `ranks`
// are the summaries of the ranks, any of which may be unsound; `words_of` has sentence and fix of a
// finding. Requires a gate with a run_ban, and a run that was judged with a least saving of 0.
JudgedGate judge_run(const Gate& gate, const RunResult& run, std::span<const RunSummary> ranks,
                     const std::function<Explanation(const RunFinding&)>& words_of,
                     const Date& today);

}  // namespace lapscope::analyzer
