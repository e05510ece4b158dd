#pragma once

#include <span>

#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/run_result.h"

namespace lapscope::analyzer {

// Adds findings and questions to a run. Leaves out those that save less than the share
// `least_saving` of the window. Requires at least two ranks. The ranks and the window of the run
// must be set.
void find_run_causes(std::span<const RankWork> ranks, const Matches& matches, Share least_saving,
                     RunResult& run);

}  // namespace lapscope::analyzer
