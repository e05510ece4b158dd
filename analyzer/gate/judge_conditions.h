#pragma once

#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/judgement.h"

// Functions that evaluate one condition for one scope. They set the value, bound, margin, outcome
// and reason of the judgement. Before a call, the outcome of the judgement must be inconclusive.
namespace lapscope::analyzer {

void judge_bound(Judgement& judgement, const Gate& gate, const Bound& bound, const GatedWork& work,
                 Runs runs);

// Sets the judgement's value to the share of the wall time that the fix of the forbidden cause
// would save.
void judge_ban(Judgement& judgement, const Gate& gate, const Ban& ban, const GatedWork& work,
               Runs runs);

// Applies the waivers of a gate to a judgement. A waiver that has not expired turns a failed
// condition into a waived condition. Sets the reason if a waiver applies, has expired or is not
// needed.
void apply_waivers(Judgement& judgement, const Gate& gate, const Date& today);

// Compares a measure with the baseline of the gate. Requires a gate with a baseline.
void judge_baseline(Judgement& judgement, const Gate& gate, const Measure& measure,
                    const GatedWork& work, Runs runs, Runs baseline);

}  // namespace lapscope::analyzer
