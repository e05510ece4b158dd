#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/rank_states.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// An event of a rank in a collective. If `is_wait`, the rank waits until its own kernel of the
// collective ends. If not, the data for this kernel is ready.
struct RankEvent {
  Ns own = 0;                    // the rank's own time since the event before, in ns
  Ns lead = 0;                   // from this event to the start of the kernel; 0 for waits
  std::uint32_t collective = 0;  // in Matches::collectives
  std::uint32_t member = 0;      // in MatchedCollective::members
  std::uint32_t lane = 0;        // below RunProgram::OfRank::lanes
  bool is_wait = false;
};

// The ranks of a run as one program, within a window. The program of a rank is a list of events
// (RankEvent), with own time between them. A rank waits while it does nothing but communicate with
// known ranks. All other time is own time: the rank computes, is idle, or communicates with unknown
// ranks.
//
//   rank 0  [kernels ][~~~~~~~~~~~ all-reduce ][kernels]
//   rank 1  [kernels]   idle      [all-reduce ][kernels]
//
// In the drawing, a column is 1 ns, and ~ shows how long rank 0 waits for rank 1. Each rank has two
// events: the data for the all-reduce is ready, and the rank waits for the end of the all-reduce.
// The own time before the first event is 10 ns on rank 0, and 22 ns on rank 1. The own time after
// the wait is 9 ns on both ranks.
//
// A kernel begins when its data is ready and the kernel before it in its lane has ended. A lane has
// the kernels of all communicators with the same RankCommunicator::stream.
//
// Some own work of a rank begins while a kernel of a collective runs. This work did not need the
// data from the kernel. Own work that begins after the kernel has ended is assumed to need the
// data.
struct RunProgram {
  struct OfRank {
    std::vector<RankEvent> events;  // in the order in which they were recorded
    Ns last = 0;                    // own time after the last event
    Ns own = 0;                     // all own time
    bool has_pairs = false;         // sends to, or receives from, single other ranks
    std::uint32_t lanes = 0;        // the number of lanes
    // The time at which the host begins in a replay, in ns after the begin of the window. The host
    // issues each kernel at `host_begin` + RankCollective::host_time. `host_begin` is as late as
    // possible: the host issues every kernel in the window at or before its recorded start.
    // If no host time is known, `host_begin` is -latest_time.
    //
    // In the recording, the host may have been further ahead of the device. A replay ignores this
    // lead, because the lead saves time only once, but the pace of the host limits every step.
    Ns host_begin = 0;
  };

  const MatchedCollective& collective(const RankEvent& event) const {
    return matches->collectives[event.collective];
  }
  const MatchedCollective::Member& member(const RankEvent& event) const {
    return collective(event).members[event.member];
  }
  const RankCollective& kernel(const RankEvent& event) const {
    return ranks[member(event).rank].collectives[member(event).kernel];
  }
  // Returns the end of the event's kernel, or the end of the window if the kernel ends later.
  Ns end_of(const RankEvent& event) const { return std::min(member(event).time.end, window.end); }
  // Whether the event's kernel still waits for data of another rank at the end of the window.
  bool is_open(const RankEvent& event) const { return member(event).ready >= window.end; }

  std::span<const RankWork> ranks;   // on one clock; must live as long as the program
  const Matches* matches = nullptr;  // must also live as long as the program
  Interval window;
  std::vector<Ns> clock_errors;  // by rank, as RankClocks::errors
  std::vector<OfRank> of_rank;
};

// Returns the program of ranks[of]. `members` has the matched kernels of this rank. `states` has
// the states of this rank in the window.
RunProgram::OfRank program_of_rank(const Matches& matches, std::span<const RankWork> ranks,
                                   std::size_t of, std::span<const RankMember> members,
                                   const RankStates& states, const Interval& window);

// Returns the program of a rank with one change: the data of each kernel is ready only at the
// recorded start of the kernel. So all own time before this start delays the kernel.
RunProgram::OfRank ready_at_start(const RunProgram& program, std::uint32_t rank);

// A part of the critical path: own time of a rank, or the transfer of a collective.
struct PathPart {
  std::uint32_t rank = 0;
  Interval time;
  bool is_transfer = false;
};

// Returns the critical path of the window, last part first: a chain of own times and transfers that
// cover the window. The path is followed back from the end of the window. At the end of a wait, it
// continues through the transfer to the rank that began the collective last.
std::vector<PathPart> critical_path(const RunProgram& program);

}  // namespace lapscope::analyzer
