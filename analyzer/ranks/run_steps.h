#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/rank_states.h"

namespace lapscope::analyzer {

// The least number of repetitions that count as steps.
inline constexpr std::size_t least_steps_of_run = 4;

// The steps of a run, on the common clock. They are found in the rank with most collectives. A
// sequence of its collectives repeats at least four times, and the repetitions have at least half
// of its collectives. Warm-up steps are left out (warm_up_of()). The steps last from the start of
// the first collective to the end of the last one:
//
//   rank 0  [all-reduce    ]  [gather][reduce] [gather][reduce] [gather][reduce] [gather][reduce]
//                             |------------------------- steps --------------------------------|
//
// If all collectives are alike and pauses do not show steps, each collective is a step. The steady
// state of a single rank does not come from these steps.
struct RunSteps {
  std::vector<Ns> borders;      // one more than there are steps; empty without steps
  std::size_t collectives = 0;  // per step, of the rank with most collectives
};
RunSteps steps_of_run(std::span<const RankWork> ranks,
                      const std::vector<std::vector<RankMember>>& by_rank);

}  // namespace lapscope::analyzer
