#pragma once

#include <functional>
#include <span>
#include <string>

#include "analyzer/gate/judgement.h"
#include "analyzer/ranks/run_result.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// Evaluates the conditions on all ranks of a run together (Gate::run_bans). The value of a
// condition is the share of the run's window that the fix of a finding would save. Recording may
// have added a part of this saving. The value does not include this part. If the condition passes
// without this part, but would fail with it, the condition is inconclusive.
//
// `ranks` are the summaries of the ranks. If a rank cannot be evaluated, or if no rank has a range
// that the gate names, all conditions are inconclusive. `words_of` returns the sentence and the fix
// of a finding. Requires a gate with conditions on all ranks, and a run that was analyzed with a
// least saving of 0, so that small savings are findings, too.
JudgedGate judge_run(const Gate& gate, const RunResult& run, std::span<const RunSummary> ranks,
                     const std::function<Explanation(const RunFinding&)>& words_of,
                     const Date& today);

// Merges the judged gates of single ranks, which have equal conditions. For each condition and
// scope:
// - Judgements are sorted from worst to best: failed, inconclusive, waived, passed. Of equal
//   outcomes, the smaller margin is worse. If a rank has judgements of several devices, only the
//   worst of them counts.
// - The result is the worst judgement. With OverRanks::median, it is the middle judgement. Of two
//   middle judgements, it is the worse one.
// - If a rank lacks the scope, the result is inconclusive. Exception: with OverRanks::worst, a
//   judgement that failed stays failed.
//
// Requires at least one rank.
JudgedGate judge_over_ranks(std::span<const JudgedGate> ranks, OverRanks over,
                            const std::string& name);

}  // namespace lapscope::analyzer
