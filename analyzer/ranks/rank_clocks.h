#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/clock_line.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// What must be added to each rank's clock for the common clock, which is that of the first rank's
// host.
struct RankClocks {
  std::vector<ClockLine> lines;  // by rank; 0 on the first rank's host
  std::vector<Ns> errors;        // by rank: the greatest error of its line, in ns
  // The greatest error, in ns, of a difference between times of two ranks. 0 if all ran on one
  // host.
  Ns error = 0;
  std::int64_t without_utc = 0;  // ranks whose traces do not have the start of the session
  // Whether no line fits the collectives of some host, because its clock was changed during the
  // run.
  bool is_contradicted = false;
  // Whether some host's clock is not known: no collectives, and no messages in both directions,
  // relate it to the clock of the first host, directly or through other hosts.
  bool is_unknown = false;
};

// Adds a number to the host name of ranks that ran on another machine of this name. Two ranks ran
// on one machine if the machine started at the same time according to both (RankWork::booted). A
// rank without this time is assumed to have run on the first machine of the name.
void tell_hosts_apart(std::span<RankWork> ranks);

// Finds the differences between the clocks of hosts. In a collective that joins all ranks, no
// kernel ends before the last kernel has started. Let a be a kernel of the collective on the first
// host, and b one on another host. Let d(t) be the time to add to time t of b's clock. Then
//
//   a.start - b.end  <  d(b.end)    and    d(b.start)  <  a.end - b.start
//
// hold for each collective; see fit_clock(). If two ranks have equally many kernels of a name,
// their k-th kernels are taken as one collective.
//
// A host without collectives with the first host is fitted to another host whose clock is known, by
// collectives or else by messages: a receive does not end before its send begins. The errors of
// both clocks add up.
RankClocks rank_clocks(std::span<const RankWork> ranks);

// The greatest error, in ns, of a difference between times of two ranks. `errors` is
// RankClocks::errors, or empty if all clocks are exact.
Ns error_between(std::span<const RankWork> ranks, std::span<const Ns> errors, std::uint32_t a,
                 std::uint32_t b);

// Moves all times of the ranks to the common clock.
void move_to_common_clock(const RankClocks& clocks, std::span<RankWork> ranks);

}  // namespace lapscope::analyzer
