#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/correction.h"

namespace lapscope::analyzer {

// What recording adds to each scope, as a part of the time without it, where that is not known and
// more than `large_part` by what calls typically cost.
std::vector<std::optional<double>> estimated_added(const Trace& trace, const CorrectedGraph& graph,
                                                   const std::vector<GraphScope>& recorded);

// What is found may be the recorder's doing where the recorder adds much time and this time is not
// known well enough: there is no calibration and no bare run, or bare runs contradict what was
// taken off. A finding that saves no more than the recorder may add is open then (`bare_runs` is
// missing), and so is the scope where that finding is the first one.
//
//   recorded   ##########            recording may add 3 of 10
//   found      a saves 5, b saves 2  a stays, b is open
//
// `results` belong to `graph`, one for each scope of `recorded`. The scopes of `recorded` are those
// of the recorded graph.
void leave_doubts_open(const Trace& trace, const CorrectedGraph& graph,
                       const std::vector<GraphScope>& recorded, std::vector<CausesResult>& results);

}  // namespace lapscope::analyzer
