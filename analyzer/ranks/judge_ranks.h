#pragma once

#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/ranks/rank_work.h"
#include "analyzer/ranks/run_result.h"

// The ranks of one run, together.
namespace lapscope::analyzer {

// At least one rank. Findings are those that save this share of the window or more.
RunResult judge_ranks(std::vector<RankWork> ranks, Share least_saving = assumed::least_saving);

}  // namespace lapscope::analyzer
