#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/correction.h"

namespace lapscope::analyzer {

// Estimates how much time recording adds to each scope, from the typical costs of calls. An
// estimate is the added time divided by the time without recording. It is empty if the added time
// is known, or if the estimate is not above assumed::large_part.
std::vector<std::optional<double>> estimated_added(const Trace& trace, const CorrectedGraph& graph,
                                                   const std::vector<GraphScope>& recorded);

// Marks findings that the recorder itself may have caused. Considers only scopes for which the
// recorder's own time is large and in doubt. It is in doubt if bare runs or unrecorded iterations
// contradict the subtracted time. Without either, it is in doubt if there is no calibration. In
// such a scope, a finding stays open if its saving is at most the recorder's own time. `bare_runs`
// is then added to the missing evidence of the finding's cause. If the first finding is open, the
// scope is open, too.
//
//   recorded   ##########            recording may add 3 of 10 ns
//   found      a saves 5, b saves 2  b is open, a is not
//
// `recorded` has scopes of the recorded graph. `results` has, for each of these scopes, the causes
// that were found in `graph`.
void leave_doubts_open(const Trace& trace, const CorrectedGraph& graph,
                       const std::vector<GraphScope>& recorded, std::vector<CausesResult>& results);

}  // namespace lapscope::analyzer
