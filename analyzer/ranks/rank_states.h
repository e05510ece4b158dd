#pragma once

#include <span>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// How long the device of one rank was in each state within a window, in ns. sum() is exactly the
// length of the window.
//
//   rank 0  [kernels    ][AllReduce               ]
//           |-computing-||-- waiting --|-transfer-|
//
//   rank 1  [kernels    ]              [AllReduce ]
//           |-computing-||--- idle ----|-transfer-|
struct RankTime {
  Ns computing = 0;            // an op that does not communicate runs, alone or not
  Ns transferring = 0;         // only communication; all ranks of the collective have begun
  Ns waiting = 0;              // only communication; another rank has not begun
  Ns for_messages = 0;         // part of `waiting`: in sends and receives between two ranks
  Ns other_communication = 0;  // only communication; its other end is not known
  Ns idle = 0;

  Ns sum() const { return computing + transferring + waiting + other_communication + idle; }
  RankTime& operator+=(const RankTime& other);
};

// When one rank's device was in each state, on the common clock. The device was idle at all other
// times.
struct RankStates {
  IntervalSet computing;
  IntervalSet transferring;
  IntervalSet other_communication;
  IntervalSet for_messages;
  IntervalSet for_collectives;  // waiting without `for_messages`

  RankTime in(const Interval& window) const;
};

// A matched kernel of a rank, and the collective that it belongs to.
struct RankMember {
  const MatchedCollective* collective = nullptr;
  const MatchedCollective::Member* member = nullptr;
};
// Returns the matched kernels of each rank, in the order of Matches::collectives.
std::vector<std::vector<RankMember>> members_by_rank(const Matches& matches, std::size_t ranks);

// Returns the states of ranks[of] in the window, on the common clock of the ranks. `members` are
// the matched kernels of ranks[of].
RankStates rank_states(std::span<const RankWork> ranks, std::size_t of,
                       std::span<const RankMember> members, const Interval& window);

}  // namespace lapscope::analyzer
