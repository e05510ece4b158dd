#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/rank_clocks.h"
#include "analyzer/ranks/run_result.h"

namespace lapscope::analyzer {

// What is wrong with the ranks as one run.
std::vector<RunDefectRow> run_defects(std::span<const RankWork> ranks, const RankClocks& clocks,
                                      const Matches& matches);

// A rank as a number, as launchers give it.
std::optional<int> number_of(const std::string& rank);

// What an interval of every rank shares, on their clock. Empty where that is nothing.
Interval common_interval(std::span<const RankWork> ranks, std::span<const Ns> offsets,
                         Interval RankWork::*of);

}  // namespace lapscope::analyzer
