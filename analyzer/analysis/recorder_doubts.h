#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/correction.h"

namespace lapscope::analyzer {

// What recording adds to each scope, as a part of the time without it, where that is not known and
// more than `large_part` by what calls typically cost.
std::vector<std::optional<double>> estimated_added(const Trace& trace, const JudgedGraph& graph,
                                                   const std::vector<GraphScope>& recorded);

// Answers that change with what recording adds are open (`bare_runs` is missing) where that is much
// and nobody knows it well enough: no calibration and no bare runs, or bare runs that contradict
// what was taken off. What is found then is looked for once more, the other way: without what calls
// typically cost, or as recorded.
//
//   found both ways, or neither        stays
//   found one way                      that cause is inconclusive
//   nor is what comes first the same   the scope is, too
//
// `results` are of `graph`, scope by scope of `recorded`, which are those of the recorded graph.
void leave_doubts_open(const Context& context, const JudgedGraph& graph,
                       const std::vector<GraphScope>& recorded, std::vector<CausesResult>& results);

}  // namespace lapscope::analyzer
