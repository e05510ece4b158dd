#pragma once

#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/judgement.h"

// Each function sets value, bound, margin, outcome and reason of one condition over one interval of
// work. Before the call, the judgement is as it was made: inconclusive.
namespace lapscope::analyzer {

void judge_bound(Judgement& judgement, const Gate& gate, const Bound& bound, const GatedWork& work,
                 Runs runs);

// The value of a ban is the share of the wall time that putting its cause right would save.
void judge_ban(Judgement& judgement, const Gate& gate, const Ban& ban, const GatedWork& work,
               Runs runs);

// Lets a condition that failed be waived, or says what became of its waiver.
void apply_waivers(Judgement& judgement, const Gate& gate, const Date& today);

// Requires a gate with a baseline.
void judge_baseline(Judgement& judgement, const Gate& gate, const Measure& measure,
                    const GatedWork& work, Runs runs, Runs baseline);

}  // namespace lapscope::analyzer
