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

// Either the rank has its data for a collective ready, or it waits for the end of its kernel in it.
struct RankEvent {
  Ns own = 0;                    // the rank's own time since the event before, in ns
  Ns lead = 0;                   // from this event to the start of the kernel; 0 for waits
  std::uint32_t collective = 0;  // in Matches::collectives
  std::uint32_t member = 0;      // in MatchedCollective::members
  std::uint32_t lane = 0;        // below RunProgram::OfRank::lanes
  bool is_wait = false;
};

// The ranks of a run as one program, within a window. A rank has own time, gets data for a
// collective ready, and waits for the end of its kernel. It waits while it does nothing but
// communicate with known ranks. All other time is own time: it computes, is idle, or communicates
// with unknown ranks.
//
//   rank 0  [kernels ][all-reduce ~~~~~~~~~~~~][kernels]   own 10, ready, wait, own 9
//   rank 1  [kernels]   idle      [all-reduce ][kernels]   own 22, ready, wait, own 9
//
// A kernel begins after its data is ready, when the kernel before it in its lane has ended. A lane
// has the kernels of all communicators with the same RankCommunicator::stream.
//
// Own work that began before a collective's kernel ended did not need the kernel's data. Later work
// is assumed to need it.
struct RunProgram {
  struct OfRank {
    std::vector<RankEvent> events;  // in the order in which they were recorded
    Ns last = 0;                    // own time after the last event
    Ns own = 0;                     // all own time
    bool has_pairs = false;         // sends to, or receives from, single other ranks
    std::uint32_t lanes = 0;        // the number of lanes
    // When the host begins, in ns after the begin of the window. It issues a kernel
    // RankCollective::host_time later. The value is the latest with which no kernel in the window
    // begins before its issue. So a lead of the host does not count: it saves time only once, but
    // the pace of the host limits every step. -latest_time if no host time is known.
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
  // At most the end of the window.
  Ns end_of(const RankEvent& event) const { return std::min(member(event).time.end, window.end); }
  // Whether the wait of an event lasts beyond the window: a rank begins only after the window.
  bool is_open(const RankEvent& event) const { return member(event).ready >= window.end; }

  std::span<const RankWork> ranks;   // on one clock; must live as long as the program
  const Matches* matches = nullptr;  // must also live as long as the program
  Interval window;
  std::vector<Ns> clock_errors;  // by rank, as RankClocks::errors
  std::vector<OfRank> of_rank;
};

// `members` are the kernels of ranks[of], and `states` its states in the window.
RunProgram::OfRank program_of_rank(const Matches& matches, std::span<const RankWork> ranks,
                                   std::size_t of, std::span<const RankMember> members,
                                   const RankStates& states, const Interval& window);

// Each kernel gets ready only at its recorded start. So all own time before it delays the kernel.
RunProgram::OfRank ready_at_start(const RunProgram& program, std::uint32_t rank);

// A part of the critical path: own time of a rank, or the transfer of a collective.
struct PathPart {
  std::uint32_t rank = 0;
  Interval time;
  bool is_transfer = false;
};

// Returns the critical path of the window, last part first: a chain of own times and transfers that
// cover the window. It goes back from the end of the window. At the end of a wait, it goes through
// the transfer to the rank that began the collective last.
std::vector<PathPart> critical_path(const RunProgram& program);

}  // namespace lapscope::analyzer
