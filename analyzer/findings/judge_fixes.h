#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/predict.h"
#include "analyzer/independence/independence.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Steps of progress, of about the same length.
inline constexpr std::int64_t steps_of_candidate = 3;
inline constexpr std::int64_t steps_of_weighing = 1;
inline constexpr std::int64_t steps_of_fix = steps_of_candidate + steps_of_weighing;
// The steps that judge_fixes() usually takes: of most fixes a trace holds nothing.
std::int64_t usual_steps_of_fixes();

// Tries all fixes that may matter, several at a time, and adds what they bring to the findings and
// questions of each scope. A fix that needs ops not to depend on each other makes a finding of what
// the trace shows to be so; where that is nothing, what it would save otherwise is a question.
//
// Returns what one fix saves of each scope at most, worth a finding or not.
std::vector<Ns> judge_fixes(const Predictor& predictor, const std::vector<GraphScope>& scopes,
                            const BlockingTimes& blocking_times, const Independence& independence,
                            const CauseOptions& options, std::vector<CausesResult>& results);

}  // namespace lapscope::analyzer
