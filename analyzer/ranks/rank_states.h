#pragma once

#include <span>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// What one rank's device did in a window: the parts sum to the window exactly.
//
//   rank 0  [kernels][AllReduce               ]            computing
//   rank 1  [kernels]   idle        [AllReduce]            idle
//                    |-- waiting ---|transfer-|
struct RankTime {
  Ns computing = 0;     // any op but communication, with communication beside it or without
  Ns transferring = 0;  // nothing but communication, of collectives all of whose ranks have begun
  Ns waiting = 0;       // nothing but communication, of collectives that another rank has not begun
  Ns for_messages = 0;  // of `waiting`: in sends and receives between two ranks
  Ns other_communication = 0;  // nothing but communication of which the other end is not known
  Ns idle = 0;

  Ns sum() const { return computing + transferring + waiting + other_communication + idle; }
};

// When one rank's device did what, on the clock of the ranks: no two states share an instant, and
// the rest is idle.
struct RankStates {
  IntervalSet computing;
  IntervalSet transferring;
  IntervalSet other_communication;
  IntervalSet for_messages;
  IntervalSet for_collectives;  // waiting, but for messages

  RankTime in(const Interval& window) const;
};

// A kernel of a rank in a collective that it is matched in.
struct RankMember {
  const MatchedCollective* collective = nullptr;
  const MatchedCollective::Member* member = nullptr;
};
// By rank, in the order of Matches::collectives.
std::vector<std::vector<RankMember>> members_by_rank(const Matches& matches, std::size_t ranks);

// The states of one rank with its members, in a window of the ranks' clock. `offset` is the rank's
// own.
RankStates rank_states(const RankWork& rank, Ns offset, std::span<const RankMember> members,
                       const Interval& window);

// What stages of a pipeline send each other.
bool is_pair(const MatchedCollective& one);

}  // namespace lapscope::analyzer
