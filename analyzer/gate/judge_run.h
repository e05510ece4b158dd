#pragma once

#include <functional>
#include <span>
#include <string>

#include "analyzer/gate/judgement.h"
#include "analyzer/ranks/run_result.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// Evaluates what a gate forbids of the ranks of a run together (Gate::run_bans). The value is the
// share of the run's window that a finding would save, without what recording may have added; where
// only that addition keeps it on the good side of the bound, the condition is inconclusive. `ranks`
// are the summaries of the ranks, any of which may be unsound; `words_of` has sentence and fix of a
// finding. Requires a gate with a run_ban, and a run that was evaluated with a least saving of 0.
JudgedGate judge_run(const Gate& gate, const RunResult& run, std::span<const RunSummary> ranks,
                     const std::function<Explanation(const RunFinding&)>& words_of,
                     const Date& today);

// Merges the gates of single ranks, which have equal conditions, into one. Each condition gets the
// judgement of the rank that is worst at it, or of the one in the middle (of an even number the
// worse one). What failed is worse than what is inconclusive, and this is worse than what passed;
// of equals, the one with less margin is worse. So a median that passed would pass whatever the
// inconclusive ranks are. Requires a rank.
JudgedGate judge_over_ranks(std::span<const JudgedGate> ranks, OverRanks over,
                            const std::string& name);

}  // namespace lapscope::analyzer
