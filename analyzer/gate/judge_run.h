#pragma once

#include <functional>
#include <span>
#include <string>

#include "analyzer/gate/judgement.h"
#include "analyzer/ranks/run_result.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// Evaluates the conditions of a gate on all ranks of a run together (Gate::run_bans). The value of
// a condition is the share of the run's window that the fix of a finding would save. This saving
// excludes the time that recording may have added. If the condition passes only because this time
// is excluded, it is inconclusive.
//
// `ranks` are the summaries of the ranks. If a rank cannot be evaluated, or if no rank has a
// range that the gate names, all conditions are inconclusive. `words_of` returns the sentence and
// the fix of a finding. Requires a gate with a run_ban, and a run that was evaluated with a least
// saving of 0.
JudgedGate judge_run(const Gate& gate, const RunResult& run, std::span<const RunSummary> ranks,
                     const std::function<Explanation(const RunFinding&)>& words_of,
                     const Date& today);

// Merges the judged gates of single ranks into one judged gate. The gates have equal conditions.
// For each condition and scope, sorts the judgements of the ranks from worst to best outcome:
// failed, inconclusive, waived, passed. If outcomes are equal, a smaller margin is worse. Of a rank
// with several devices, only the worst judgement counts. Takes the worst judgement. With
// OverRanks::median, takes the middle judgement. If a rank lacks the scope, the result is
// inconclusive, unless the worst judgement is asked for and failed. If the number of ranks is even,
// the middle judgement is the worse of the two in the middle. A middle judgement that passed would
// also have passed if all inconclusive ranks had failed. Requires at least one rank.
JudgedGate judge_over_ranks(std::span<const JudgedGate> ranks, OverRanks over,
                            const std::string& name);

}  // namespace lapscope::analyzer
