#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/clock_line.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// The differences between the clocks of the ranks' hosts and the common clock. The common clock is
// that of the first rank's host.
struct RankClocks {
  std::vector<ClockLine> lines;  // by rank; 0 on the first rank's host
  // The greatest error of a difference in ns, over all hosts. 0 if all ranks ran on one host.
  Ns error = 0;
  std::int64_t without_utc = 0;  // ranks whose traces do not say when their sessions started
  // Whether there is a host for which no line fits all collectives. The clock of such a host was
  // changed during the run.
  bool is_contradicted = false;
  // Whether the clock of a host is not known. A clock is known if collectives, or messages in both
  // directions, relate it to the first host, directly or indirectly.
  bool is_unknown = false;
};

// Finds the differences between the clocks of hosts. The ranks of one host share one clock. In a
// collective that joins all ranks, no kernel ends before the last kernel has started. Let a and b
// be kernels of the collective, a on the first host and b on another host. Let d(t) be the time to
// add at time t of b's clock. Then
//
//   a.start - b.end  <  d(b.end)    and    d(b.start)  <  a.end - b.start
//
// hold for each collective; see fit_clock(). If two ranks have equally many kernels with a given
// name, the k-th of them on both ranks count as one collective.
//
// If a host has no collective with the first host, collectives with other hosts of known clocks
// bound its clock. Without such collectives, messages to and from such hosts bound it: a receive
// does not end before its send begins. The errors of these clocks add up.
RankClocks rank_clocks(std::span<const RankWork> ranks);

// Moves all times of the ranks to the common clock.
void move_to_common_clock(const RankClocks& clocks, std::span<RankWork> ranks);

}  // namespace lapscope::analyzer
