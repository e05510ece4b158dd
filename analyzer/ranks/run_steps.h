#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/rank_states.h"

namespace lapscope::analyzer {

// Fewer are no steps.
inline constexpr std::size_t least_steps_of_run = 4;

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
//
// Where collectives are all alike, and pauses show no steps either, each is one.
struct RunSteps {
  std::vector<Ns> borders;      // one more than there are steps; empty where there are none
  std::size_t collectives = 0;  // in each, of the rank that has most
};
RunSteps steps_of_run(std::span<const RankWork> ranks,
                      const std::vector<std::vector<RankMember>>& by_rank);

}  // namespace lapscope::analyzer
