#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/predict.h"
#include "analyzer/independence/independence.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Numbers of progress steps. All steps take about the same time.
inline constexpr std::int64_t steps_of_candidate = 3;
inline constexpr std::int64_t steps_of_weighing = 1;
inline constexpr std::int64_t steps_of_fix = steps_of_candidate + steps_of_weighing;
// Returns how many progress steps judge_fixes() usually takes: most fixes do not fit a given trace.
std::int64_t usual_steps_of_fixes();

// Tries all fixes that may matter, several at a time. Adds findings and questions to each scope. A
// fix that requires independent ops is first made only where the trace shows independence. This may
// give a finding. If there is no finding, the fix is made everywhere. This may give a question.
//
// Returns, for each scope, the largest saving of a single fix, in ns, even if it is too small for a
// finding.
std::vector<Ns> judge_fixes(const Predictor& predictor, const std::vector<GraphScope>& scopes,
                            const BlockingTimes& blocking_times, const Independence& independence,
                            const CauseOptions& options, std::vector<CausesResult>& results);

}  // namespace lapscope::analyzer
