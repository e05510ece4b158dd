#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/ranks/rank_work.h"
#include "analyzer/ranks/run_result.h"

// Analyzes the ranks of one run together.
namespace lapscope::analyzer {

// Returns the result of a run. Leaves out findings and questions whose saving is below the share
// `least_saving` of the window. Requires at least one rank. `without_work`: the ranks of processes
// without GPU work, as their launchers gave them.
RunResult judge_ranks(std::vector<RankWork> ranks, Share least_saving = assumed::least_saving,
                      std::span<const std::string> without_work = {});

}  // namespace lapscope::analyzer
