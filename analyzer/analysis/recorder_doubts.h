#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/correction.h"

namespace lapscope::analyzer {

// Returns, for each scope, the time that recording adds, divided by the time without recording.
// Estimates it from typical_costs(). The value of a scope is empty if it would be at most
// assumed::large_part, or if the added time is known and was subtracted.
std::vector<std::optional<double>> estimated_added(const Trace& trace, const CorrectedGraph& graph,
                                                   const std::vector<GraphScope>& recorded);

// Marks findings as undecided if the recorder itself may have caused them. Does so in a scope if
// one of these is true:
// - The recorder's own time was not subtracted, and estimated_added() has an estimate of it.
// - Bare runs or unrecorded iterations contradict the time that was subtracted.
// - The time that was subtracted is large and does not come from a calibration. There are no bare
//   runs and no unrecorded iterations to compare with.
//
// A finding is undecided if it saves at most the recorder's own time. In this case,
// LookedFor::missing of its cause gets `bare_runs`. If the first finding is undecided, so is the
// whole scope (LookedFor::leaves_open).
//
//   recorded   ##########              takes 10 ns. Recording may have added 3 ns of them.
//   findings   a saves 5, b saves 2    b is undecided, because it saves at most 3 ns. a is not.
//
// `recorded` and `results` have the same scopes in the same order.
void leave_doubts_open(const Trace& trace, const CorrectedGraph& graph,
                       const std::vector<GraphScope>& recorded, std::vector<CausesResult>& results);

}  // namespace lapscope::analyzer
