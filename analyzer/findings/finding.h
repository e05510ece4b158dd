#pragma once

#include <optional>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/independence/independence.h"
#include "analyzer/intervals/units.h"

// A finding is made in three steps: finding_of(), add_sites_and_evidence() and conclude(). The
// first step is cheap and rejects most fixes.
namespace lapscope::analyzer {

bool is_worth_a_finding(Ns saving_ns, Ns wall_ns, const CauseOptions& options);

// A prediction has two ends, and so has the saving. Returns a finding if both ends of the saving
// are large enough, and nullopt if both are too small. If only the greater end is large enough,
// returns a question, or nullopt if the ends differ because of unexplained delays
// (Doubt::unexplained).
std::optional<FindingResult> finding_of(const GraphScope& scope, const CausesResult& result,
                                        const Fix& fix, const Prediction& predicted,
                                        const CauseOptions& options);

// Sets the members of a finding about the delayed ops: their number and waits, the sites, and the
// evidence.
void add_sites_and_evidence(const Sources& sources, const BlockedTasks& blocked,
                            const CauseOptions& options, FindingResult& finding);

// Sets `what` from the first site, and sets `situation`. The sites must be sorted.
void conclude(const Situation& situation, FindingResult& finding);

Situation situation_of(const Sources& sources, const GraphScope& scope, Cause cause,
                       const BlockedTasks& blocked, const Independence& independence,
                       const CausesResult& result);

}  // namespace lapscope::analyzer
