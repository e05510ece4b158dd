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

// Returns the number of a rank from the launcher's text, such as "3". Returns empty if the text is
// not an integer of 0 or more.
std::optional<int> number_of(const std::string& rank);

// Returns the time that one interval of all ranks has in common. `of` is the member with this
// interval, such as &RankWork::whole. The length of the result may be 0.
Interval common_interval(std::span<const RankWork> ranks, Interval RankWork::*of);

}  // namespace lapscope::analyzer
