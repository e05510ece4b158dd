#pragma once

#include <functional>
#include <span>
#include <string>

#include "analyzer/gate/judgement.h"
#include "analyzer/ranks/run_result.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// Evaluates the conditions on all ranks of a run together (Gate::run_bans). Their value is the
// share of the run's window that the fix of a finding would save, without the time that recording
// may have added. If a condition passes only without this time, it is inconclusive.
//
// `ranks` are the summaries of the ranks. If a rank cannot be evaluated, or if no rank has a
// range that the gate names, all conditions are inconclusive. `words_of` returns the sentence and
// the fix of a finding. Requires a gate with a run_ban, and a run that was evaluated with a least
// saving of 0.
JudgedGate judge_run(const Gate& gate, const RunResult& run, std::span<const RunSummary> ranks,
                     const std::function<Explanation(const RunFinding&)>& words_of,
                     const Date& today);

// Merges the judged gates of single ranks, which have equal conditions. For each condition and
// scope:
// - Judgements are sorted from worst to best: failed, inconclusive, waived, passed. Of equal
//   outcomes, the smaller margin is worse. Of a rank with several devices, only the worst one
//   counts.
// - The worst judgement is taken. With OverRanks::median, the middle one is taken, or the worse of
//   two in the middle. If it passed, it would also pass if all inconclusive ranks had failed.
// - If a rank lacks the scope, the result is inconclusive, unless the worst judgement is taken and
//   failed.
//
// Requires at least one rank.
JudgedGate judge_over_ranks(std::span<const JudgedGate> ranks, OverRanks over,
                            const std::string& name);

}  // namespace lapscope::analyzer
