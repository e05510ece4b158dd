#pragma once

#include <optional>
#include <span>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/ranks/match_collectives.h"

namespace lapscope::analyzer {

// The steps of a run, on the clock of its ranks: where the collectives of the rank that has most of
// them come again and again, at least four times and over at least half of them, without those at
// the beginning that take unusually long (warm_up_of()). From the start of the first collective to
// the end of the last one:
//
//   rank 0  [all-reduce    ]  [gather][reduce] [gather][reduce] [gather][reduce] [gather][reduce]
//                             |------------------------- steps --------------------------------|
//
// Ranks do not find their steady states by this, but each by what it issues alone, and need not
// agree on it.
std::optional<Interval> steps_of_run(std::span<const RankWork> ranks, const Matches& matches);

}  // namespace lapscope::analyzer
