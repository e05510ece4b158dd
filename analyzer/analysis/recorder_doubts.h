#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/correction.h"

namespace lapscope::analyzer {

// Estimates the time that recording adds to each scope, from the typical costs of calls. An
// estimate is the added time divided by the time without recording. It is empty if it is not above
// assumed::large_part. It is also empty if the added time is known, because no estimate is needed.
std::vector<std::optional<double>> estimated_added(const Trace& trace, const CorrectedGraph& graph,
                                                   const std::vector<GraphScope>& recorded);

// Marks findings that the recorder itself may have caused. Considers a scope only in these cases:
// - The recorder's own time was not subtracted, and estimated_added() has an estimate of it.
// - Bare runs or unrecorded iterations contradict the time that was subtracted.
// - The time that was subtracted is large and does not come from a calibration. There are no bare
//   runs and no unrecorded iterations to compare with.
//
// In these cases, a finding is undecided if its saving is at most the recorder's own time. The
// function then adds `bare_runs` to LookedFor::missing of the finding's cause. If the first finding
// is undecided, the result for the whole scope is undecided, too (LookedFor::leaves_open).
//
//   recorded   ##########            recording may add 3 of 10 ns
//   found      a saves 5, b saves 2  b is undecided, a is not
//
// `recorded` has scopes of the recorded graph. `results` has the causes of the same scopes in
// `graph`.
void leave_doubts_open(const Trace& trace, const CorrectedGraph& graph,
                       const std::vector<GraphScope>& recorded, std::vector<CausesResult>& results);

}  // namespace lapscope::analyzer
