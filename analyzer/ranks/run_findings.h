#pragma once

#include <span>

#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/run_result.h"

namespace lapscope::analyzer {

// Adds findings and questions to a run of two ranks or more whose ranks and window are known. Those
// that save less than this share of the window are left out.
void find_run_causes(std::span<const RankWork> ranks, std::span<const Ns> offsets,
                     const Matches& matches, Share least_saving, RunResult& run);

}  // namespace lapscope::analyzer
