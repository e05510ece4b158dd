#pragma once

#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/judgement.h"

// Each function evaluates one condition for one scope. It sets the value, bound, margin, outcome
// and reason of the judgement. Before the call, the outcome must be inconclusive.
namespace lapscope::analyzer {

void judge_bound(Judgement& judgement, const Gate& gate, const Bound& bound, const GatedWork& work,
                 Runs runs);

// Evaluates a ban. The value of the judgement is the share of the wall time that the fix of the
// cause would save.
void judge_ban(Judgement& judgement, const Gate& gate, const Ban& ban, const GatedWork& work,
               Runs runs);

// Changes the outcome of a failed condition to `waived` if its waiver has not expired. Sets the
// reason if a waiver applies, has expired or is not needed.
void apply_waivers(Judgement& judgement, const Gate& gate, const Date& today);

// Requires a gate with a baseline.
void judge_baseline(Judgement& judgement, const Gate& gate, const Measure& measure,
                    const GatedWork& work, Runs runs, Runs baseline);

}  // namespace lapscope::analyzer
