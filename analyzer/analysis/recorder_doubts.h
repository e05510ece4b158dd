#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/correction.h"

namespace lapscope::analyzer {

// Estimates, from the typical costs of calls, the time that recording adds to each scope, divided
// by the time without recording. Empty if this is at most assumed::large_part, or if the added time
// is known.
std::vector<std::optional<double>> estimated_added(const Trace& trace, const CorrectedGraph& graph,
                                                   const std::vector<GraphScope>& recorded);

// Leaves findings undecided that the recorder itself may have caused. Considers a scope in these
// cases:
// - The recorder's own time was not subtracted, and estimated_added() has an estimate of it.
// - Bare runs or unrecorded iterations contradict the time that was subtracted.
// - The time that was subtracted is large and does not come from a calibration. There are no bare
//   runs and no unrecorded iterations to compare with.
//
// A finding is undecided if it saves at most the recorder's own time. LookedFor::missing of its
// cause then gets `bare_runs`. If the first finding is undecided, so is the whole scope
// (LookedFor::leaves_open).
//
//   recorded   ##########            recording may add 3 of 10 ns
//   found      a saves 5, b saves 2  b is undecided, a is not
//
// `recorded` and `results` have the same scopes in the same order.
void leave_doubts_open(const Trace& trace, const CorrectedGraph& graph,
                       const std::vector<GraphScope>& recorded, std::vector<CausesResult>& results);

}  // namespace lapscope::analyzer
