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

// An event of a rank: its data for a collective is ready, or it waits for the end of its kernel in
// the collective.
struct RankEvent {
  Ns own = 0;                    // the rank's own time since the event before, in ns
  Ns lead = 0;                   // from this event to the start of the kernel; 0 for waits
  std::uint32_t collective = 0;  // in Matches::collectives
  std::uint32_t member = 0;      // in MatchedCollective::members
  std::uint32_t lane = 0;        // below RunProgram::OfRank::lanes
  bool is_wait = false;
};

// The ranks of a run as one program, in a window: what each rank does on its own, where its data
// for a collective is ready, and where it waits for the end of a collective. If a rank only
// communicates, the time until its kernel ends is a wait. All other time is own time: the rank
// computes, is idle, or takes part in communication whose other ranks are not known.
//
//   rank 0  [kernels ][all-reduce ~~~~~~~~~~~~][kernels]   own 10, ready, wait, own 9
//   rank 1  [kernels]   idle      [all-reduce ][kernels]   own 22, ready, wait, own 9
//
// A kernel begins after its data is ready, when the kernel before it in its lane has ended. A lane
// has the kernels of all communicators with one RankCommunicator::stream.
//
// The program does not say whether a rank's own work needs the data of a collective. Work that
// began before the collective's kernel ended did not need the data. Later work is assumed to need
// it.
struct RunProgram {
  struct OfRank {
    std::vector<RankEvent> events;  // in the order in which they were recorded
    Ns last = 0;                    // own time after the last event
    Ns own = 0;                     // all own time
    bool has_pairs = false;         // sends to, or receives from, single other ranks
    std::uint32_t lanes = 0;        // the number of lanes
    // The host issues the kernel of an event at this time plus RankCollective::host_time, in ns
    // after the begin of the window. It is the greatest value for which no kernel in the window
    // begins before it is issued. It does not count how far the host was ahead: a lead saves time
    // once, but the pace of the host limits every step. -latest_time if no host time is known.
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
  // Returns when the kernel of an event ended. Returns at most the end of the window.
  Ns end_of(const RankEvent& event) const { return std::min(member(event).time.end, window.end); }
  // Whether the wait of an event lasts beyond the window, because a rank has not begun by then.
  bool is_open(const RankEvent& event) const { return member(event).ready >= window.end; }

  std::span<const RankWork> ranks;   // on one clock; must live as long as the program
  const Matches* matches = nullptr;  // must also live as long as the program
  Interval window;
  Ns clock_error = 0;  // as RankClocks::error
  std::vector<OfRank> of_rank;
};

// Returns what `rank` does in the window. `members` are its kernels, and `states` its states in the
// window.
RunProgram::OfRank program_of_rank(const Matches& matches, const RankWork& rank,
                                   std::span<const RankMember> members, const RankStates& states,
                                   const Interval& window);

// Returns what a rank does, with each kernel ready only at its recorded start. All own time before
// the start then delays the kernel.
RunProgram::OfRank ready_at_start(const RunProgram& program, std::uint32_t rank);

// A part of the critical path: what a rank does on its own, or the transfer of a collective.
struct PathPart {
  std::uint32_t rank = 0;
  Interval time;
  bool is_transfer = false;
};

// Returns the critical path of the window, last part first: the chain of own work and transfers
// that took as long as the window. The path goes back from the window's end. From the end of a
// wait, it follows the transfer. It goes on with the rank that began the collective last. The parts
// do not overlap, and cover the window.
std::vector<PathPart> critical_path(const RunProgram& program);

}  // namespace lapscope::analyzer
