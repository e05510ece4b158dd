#pragma once

#include <optional>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/intervals/units.h"

// A finding is made in three steps, of which the first is cheap and mostly says no.
namespace lapscope::analyzer {

bool is_worth_a_finding(Ns saving_ns, Ns wall_ns, const CauseOptions& options);

// What a fix would save of a scope, by what is predicted; nothing when that is not worth a finding,
// whatever kernels share, or only if delays end that nothing explains.
std::optional<FindingResult> finding_of(const GraphScope& scope, const CausesResult& result,
                                        const Fix& fix, const Prediction& predicted,
                                        const CauseOptions& options);

// What the cause delayed, and where.
void add_sites_and_evidence(const Sources& sources, const BlockedTasks& blocked,
                            const CauseOptions& options, FindingResult& finding);

// Whose doing it is, once the places are in order, and what its explanation depends on.
void conclude(const Situation& situation, FindingResult& finding);

}  // namespace lapscope::analyzer
