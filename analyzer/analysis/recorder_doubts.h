#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/correction.h"

namespace lapscope::analyzer {

// What recording adds to each scope, as a part of the time without it, where that is not known and
// more than `large_part` by what calls typically cost.
std::vector<std::optional<double>> estimated_added(const Trace& trace, const CorrectedGraph& graph,
                                                   const std::vector<GraphScope>& recorded);

// What is found may be the recorder's doing where that is much and nobody knows it well enough: no
// calibration and no bare runs, or bare runs that contradict what was taken off. A finding that
// saves no more than the recorder may is open then (`bare_runs` is missing), and so is the scope
// where it is the first one.
//
//   recorded   ##########            recording may add 3 of 10
//   found      a saves 5, b saves 2  a stays, b is open
//
// `results` are of `graph`, scope by scope of `recorded`, which are those of the recorded graph.
void leave_doubts_open(const Trace& trace, const CorrectedGraph& graph,
                       const std::vector<GraphScope>& recorded, std::vector<CausesResult>& results);

}  // namespace lapscope::analyzer
