#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/rank_clocks.h"
#include "analyzer/ranks/run_result.h"

namespace lapscope::analyzer {

// `without_work`: as in judge_ranks().
std::vector<RunDefectRow> run_defects(std::span<const RankWork> ranks, const RankClocks& clocks,
                                      const Matches& matches,
                                      std::span<const std::string> without_work);

// Returns the number of a rank. `rank` is the launcher's text, such as "3". Returns empty if the
// text is not an integer of 0 or more.
std::optional<int> number_of(const std::string& rank);

// Returns the intersection of one interval of each rank. `of` selects the interval, such as
// &RankWork::whole. The length of the result is 0 if the intervals have no time in common.
Interval common_interval(std::span<const RankWork> ranks, Interval RankWork::*of);

}  // namespace lapscope::analyzer
