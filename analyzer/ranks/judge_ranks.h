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

// Leaves out findings and questions that save less than the share `least_saving` of the window.
// Requires at least one rank. `without_work` has the ranks of processes without GPU work, as texts
// from the launcher (RankWork::rank).
RunResult judge_ranks(std::vector<RankWork> ranks, Share least_saving = assumed::least_saving,
                      std::span<const std::string> without_work = {});

}  // namespace lapscope::analyzer
